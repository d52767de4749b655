// Checks that byte 3 is the sum of bytes 1 and 2.
#include <unistd.h>

int main(void) {
    unsigned char in[4] = {0};
    if (read(0, in, sizeof in) < 4)
        return 0;
    if ((unsigned char)(in[1] + in[2]) == in[3])
        return 0;
    return 1;
}
