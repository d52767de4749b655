// Closes the account of byte 0, then pays into that of byte 1.
#include <stdlib.h>
#include <unistd.h>

static int is_account(unsigned char name) {
    return '0' <= name && name <= '2';
}

int main(void) {
    volatile int *accounts[3];
    for (int i = 0; i < 3; i++) {
        accounts[i] = calloc(1, sizeof(int));
        if (!accounts[i])
            return 1;
    }
    unsigned char in[2] = {0};
    int closed = -1;
    if (read(0, in, sizeof in) == 2 && is_account(in[0]) && is_account(in[1])) {
        closed = in[0] - '0';
        free((void *)accounts[closed]);
        *accounts[in[1] - '0'] += 1;
    }
    for (int i = 0; i < 3; i++)
        if (i != closed)
            free((void *)accounts[i]);
    return 0;
}
