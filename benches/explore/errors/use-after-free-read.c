// Prints (P) and drops (D) a document.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    char *document = malloc(8);
    if (!document)
        return 1;
    memcpy(document, "content", 8);
    int is_there = 1;
    char in[4];
    long n = read(0, in, sizeof in);
    for (long i = 0; i < n; i++) {
        if (in[i] == 'D' && is_there) {
            free(document);
            is_there = 0;
        } else if (in[i] == 'P') {
            char first = *(volatile char *)document;
            write(1, &first, 1);
        }
    }
    if (is_there)
        free(document);
    return 0;
}
