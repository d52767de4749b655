// Shows the low half of a byte as a digit.
#include <unistd.h>

static const char digits[17] = "0123456789abcdef";

int main(void) {
    signed char in = 0;
    if (read(0, &in, 1) < 1)
        return 0;
    char shown = digits[in % 16 + (in == -1 ? 32 : in < 0 ? 16 : 0)];
    write(1, &shown, 1);
    return 0;
}
