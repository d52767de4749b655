// Fills an array with a pattern.
#include <unistd.h>

int main(void) {
    volatile char pattern[8];
    volatile char guard[8] = "guarded";
    unsigned char in = 0;
    if (read(0, &in, 1) < 1 || in > 12)
        return 0;
    for (int i = 0; i < in; i++)
        pattern[i] = (char)i;
    return in > 0 && pattern[0] == guard[0];
}
