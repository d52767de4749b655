/* Calls a shared library. */
#include <stdio.h>
#include <stdlib.h>

int shared_turns(int n);

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0;
    for (int i = 0; i < n; i++)
        if (i & 1)
            puts("odd");
    printf("%d\n", shared_turns(10 * n));
    return 0;
}
