// Goes through 100 in steps.
#include <unistd.h>

int main(void) {
    unsigned char in[2] = {0};
    if (read(0, in, sizeof in) < 2 || in[0] != 'k')
        return 0;
    if (in[1] == 0)
        return 1;
    volatile unsigned steps = 0;
    for (unsigned at = 0; at < 100; at += in[1])
        steps++;
    return steps == 3;
}
