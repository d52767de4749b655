// Templates, inlined functions, lambdas, exceptions, destructors and virtual functions.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>
#include "template.h"

struct Shape {
    virtual ~Shape() {}
    virtual int area() const = 0;
};

struct Square : Shape {
    int side;
    explicit Square(int s) : side(s) {}
    int area() const override { return side * side; }
};

struct Guard {
    int &count;
    explicit Guard(int &c) : count(c) { ++count; }
    ~Guard() { --count; }
};

static int risky(int n, int &depth)
{
    Guard guard(depth);
    if (n % 4 == 3)
        throw std::runtime_error("three");
    return n;
}

int far_away(int n);

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? std::atoi(argv[1]) : 9, depth = 0, sum = 0;
    std::vector<int> values;
    std::map<std::string, int> names;
    for (int i = 0; i < rounds; ++i) {
        try {
            values.push_back(risky(i, depth));
        } catch (const std::exception &error) {
            names[error.what()] += largest(i, 2);
        }
    }
    std::sort(values.begin(), values.end(), [](int a, int b) { return a > b; });
    for (int value : values) sum += value;
    Square square(sum % 10);
    const Shape &shape = square;
    sum += shape.area() + (int)largest(1.5, 2.5) + Stack<int>().fill(rounds) + Stack<long>().fill(3);
    std::printf("%d %d %d %d\n", sum, depth, names["three"], far_away(rounds));
    return sum > 100000 ? 1 : 0;
}
