template <class T> T largest(T a, T b)
{
    if (a > b)
        return a;
    return b;
}

template <class T> struct Stack {
    T items[16];
    int used = 0;
    int fill(int n)
    {
        for (int i = 0; i < n; ++i)
            push((T)i);
        return used;
    }
    void push(T item) { if (used < 16) items[used++] = item; }
};
