/* Loops, jumps, a switch, a loop on one line, a macro over several blocks, and code that never runs. */
#include <stdio.h>
#include <stdlib.h>
#include "shared.h"

#define CLAMP(x, low, high) ((x) < (low) ? (low) : (x) > (high) ? (high) : (x))

int other(int n);

static int collatz(int n)
{
    int steps = 0;
again:
    if (n == 1)
        goto done;
    n = n % 2 ? 3 * n + 1 : n / 2;
    steps++;
    goto again;
done:
    return steps;
}

static int one_line(int n) { int s = 0; for (int i = 0; i < n; i++) { for (int j = 0; j < i; j++) s += j & 1; if (i & 1) continue; s++; } return s; }

static int choose(int n)
{
    switch (n % 5) {
    case 0:
        return 1;
    case 1: case 2:
        n += 2;
        /* fall through */
    case 3:
        do { n--; } while (n > 3 && n % 7);
        break;
    default:
        n = CLAMP(n, 2,
                  10);
    }
    return n;
}

static int never(int n)
{
    while (n--)
        if (n == 3)
            return 4;
    return 0;
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 7, sum = 0;
    for (int i = 1; i <= rounds; i++) {
        sum += collatz(i) + one_line(i)
            + choose(i)
            + shared(i);
        if (i > 1000 || sum < 0)
            sum = never(i);
    }
    printf("%d %d\n", sum, other(rounds));
    if (sum == 123456)
        exit(3);
    return 0;
}
