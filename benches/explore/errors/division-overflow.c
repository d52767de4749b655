// Divides a number of four bytes by one of one byte.
#include <limits.h>
#include <unistd.h>

int main(void) {
    unsigned char in[5] = {0};
    if (read(0, in, sizeof in) < 5)
        return 0;
    int value = (int)(in[0] | (unsigned)in[1] << 8 | (unsigned)in[2] << 16 | (unsigned)in[3] << 24);
    int divisor = (signed char)in[4];
    if (divisor == 0)
        return 1;
    int quotient = value / divisor;
    write(1, &quotient, sizeof quotient);
    return 0;
}
