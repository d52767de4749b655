// Copies as many bytes of a block as the input says.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    unsigned char wanted = 0;
    if (read(0, &wanted, 1) < 1)
        return 0;
    char *block = malloc(4);
    if (!block)
        return 1;
    memcpy(block, "abcd", 4);
    volatile char sum = 0;
    if (wanted <= 4)
        for (int i = 0; i < wanted; i++)
            sum += block[i];
    free(block);
    return sum == 1;
}
