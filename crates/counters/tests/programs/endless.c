/* Counts for ever; says when it has begun. */
#include <stdio.h>

static unsigned turn(unsigned n)
{
    return n * 1664525u + 1013904223u;
}

int main(void)
{
    volatile unsigned n = 1;
    puts("begun");
    fflush(stdout);
    for (;;)
        n = turn(n);
}
