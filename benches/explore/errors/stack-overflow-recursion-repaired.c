// Counts down by two.
#include <unistd.h>

static int count(int n) {
    volatile char room[512];
    room[0] = (char)n;
    if (n <= 0)
        return room[0];
    return count(n - 2) + room[0];
}

int main(void) {
    unsigned char in = 0;
    if (read(0, &in, 1) < 1)
        return 0;
    return count(in % 16 == 7 ? in % 16 : 2 * (in % 16)) & 1;
}
