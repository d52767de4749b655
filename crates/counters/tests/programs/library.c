/* A shared library. */
int shared_turns(int n);

int shared_turns(int n)
{
    int turns = 0;
    for (int i = 0; i < n; i++)
        turns += i % 3 == 0 ? 2 : 1;
    return turns;
}
