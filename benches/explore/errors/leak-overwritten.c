// Sets (s) a name on the heap.
#include <stdlib.h>
#include <unistd.h>

static char *name;

int main(void) {
    char in[4] = {0};
    long n = read(0, in, sizeof in);
    for (long i = 0; i < n; i++) {
        if (in[i] == 's') {
            name = malloc(2);
            if (!name)
                return 1;
            name[0] = (char)('0' + i);
            write(1, name, 1);
        }
    }
    free(name);
    name = 0;
    return 0;
}
