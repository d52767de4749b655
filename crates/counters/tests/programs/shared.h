static inline int shared(int n)
{
    if (n % 3 == 0)
        return n / 3;
    return n > 4 ? n - 4 : n;
}
