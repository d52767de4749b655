#include "shared.h"

int other(int n)
{
    int sum = 0;
    while (n > 0 && (sum += shared(n)) < 1000000) n -= 3;
    return sum;
}
