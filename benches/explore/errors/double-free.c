// Checks a record in a block.
#include <stdlib.h>
#include <unistd.h>

int main(void) {
    char *block = malloc(4);
    if (!block)
        return 1;
    int status = 0;
    if (read(0, block, 4) > 0 && block[0] == 'e') {
        status = 1;
        write(1, block, 1);
        free(block);
    }
    free(block);
    return status;
}
