// Skips spaces at the start of a text on the heap.
#include <stdlib.h>
#include <unistd.h>

int main(void) {
    char *text = calloc(5, 1);
    if (!text)
        return 1;
    char *start = text;
    if (read(0, text, 4) > 0) {
        while (*start == ' ')
            start++;
        write(1, start, 1);
    }
    free(text);
    return 0;
}
