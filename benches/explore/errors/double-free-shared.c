// Makes two names; equal ones share a block.
#include <stdlib.h>
#include <unistd.h>

int main(void) {
    char in[2] = {0};
    if (read(0, in, sizeof in) < 2 || in[0] < 'a' || in[0] > 'z')
        return 0;
    char *first = malloc(1);
    if (!first)
        return 1;
    *first = in[0];
    char *second = first;
    if (in[1] != in[0]) {
        second = malloc(1);
        if (!second) {
            free(first);
            return 1;
        }
        *second = in[1];
    }
    write(1, first, 1);
    write(1, second, 1);
    free(first);
    free(second);
    return 0;
}
