// Multiplies two numbers by name and rounds the product.
#include <unistd.h>

static double named(char name) {
    switch (name) {
    case 'o':
        return 0.0;
    case 'i':
        return __builtin_inf();
    default:
        return 1.5;
    }
}

static int round_down(double value) {
    if (value != value)
        __builtin_trap();
    return value > 1e6 ? 1000000 : (int)value;
}

int main(void) {
    char in[2] = {0};
    if (read(0, in, sizeof in) < 2)
        return 0;
    int whole = round_down(named(in[0]) * named(in[1]));
    write(1, &whole, sizeof whole);
    return 0;
}
