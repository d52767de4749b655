// Reads a number such as 2e3 and converts it to int.
#include <unistd.h>

static int convert(double value) {
    if (!(value > -2147483649.0 && value < 2147483648.0))
        __builtin_trap();
    return (int)value;
}

int main(void) {
    char in[3] = {0};
    if (read(0, in, sizeof in) < 3 || in[1] != 'e')
        return 0;
    if (in[0] < '0' || in[0] > '9' || in[2] < '0' || in[2] > '9')
        return 1;
    double value = in[0] - '0';
    for (char power = '0'; power < in[2]; power++)
        value *= 10;
    int whole = convert(value);
    write(1, &whole, sizeof whole);
    return 0;
}
