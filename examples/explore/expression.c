// Evaluates an arithmetic expression from standard input, such as (1+2)*34-5: a parser by recursive descent with one
// function for each rule of the grammar.
//
//   sum     = product { ("+" | "-") product }
//   product = factor { ("*" | "/") factor }
//   factor  = number | "(" sum ")" | "-" factor
#include <stdio.h>
#include <stdlib.h>

static char text[64];
static size_t length, place;

static void fail(const char *what) {
    fprintf(stderr, "%s at byte %zu\n", what, place);
    exit(1);
}

static int next(void) {
    return place < length ? text[place] : -1;
}

static int is_digit(int byte) {
    return '0' <= byte && byte <= '9';
}

static int sum(void);

static int number(void) {
    unsigned value = 0;
    while (is_digit(next())) {
        value = value * 10 + (unsigned)(next() - '0');
        place++;
    }
    return (int)value;
}

static int factor(void) {
    if (is_digit(next()))
        return number();
    if (next() == '-') {
        place++;
        return (int)(0u - (unsigned)factor());
    }
    if (next() != '(')
        fail("a number or ( is missing");
    place++;
    int value = sum();
    if (next() != ')')
        fail(") is missing");
    place++;
    return value;
}

static int product(void) {
    int value = factor();
    for (;;) {
        if (next() == '*') {
            place++;
            value = (int)((unsigned)value * (unsigned)factor());
        } else if (next() == '/') {
            place++;
            int divisor = factor();
            if (divisor == 0)
                fail("division by zero");
            // The only other quotient that an int cannot hold.
            value = divisor == -1 ? (int)(0u - (unsigned)value) : value / divisor;
        } else {
            return value;
        }
    }
}

static int sum(void) {
    int value = product();
    for (;;) {
        if (next() == '+') {
            place++;
            value = (int)((unsigned)value + (unsigned)product());
        } else if (next() == '-') {
            place++;
            value = (int)((unsigned)value - (unsigned)product());
        } else {
            return value;
        }
    }
}

int main(void) {
    length = fread(text, 1, sizeof text, stdin);
    if (length > 0 && text[length - 1] == '\n')
        length--;
    int value = sum();
    if (place < length)
        fail("an operator is missing");
    printf("%d\n", value);
    return 0;
}
