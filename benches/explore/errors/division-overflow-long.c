// Divides one of some special numbers by another.
#include <limits.h>
#include <unistd.h>

static long long special(unsigned char name) {
    switch (name) {
    case 'm':
        return LLONG_MIN;
    case 'M':
        return LLONG_MAX;
    case 'n':
        return -1;
    default:
        return 3;
    }
}

int main(void) {
    unsigned char in[2] = {0};
    if (read(0, in, sizeof in) < 2)
        return 0;
    long long value = special(in[0]), divisor = special(in[1]);
    long long quotient = value / divisor;
    write(1, &quotient, sizeof quotient);
    return 0;
}
