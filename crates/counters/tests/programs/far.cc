#include "template.h"

int far_away(int n)
{
    Stack<int> stack;
    stack.fill(n + 10);
    return largest(n, stack.used);
}
