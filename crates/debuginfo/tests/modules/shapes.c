// The module beside this file is made of it, without a C library:
// clang-19 --target=wasm32 -O1 -g -nostdlib -Wl,--no-entry -Wl,--export=sum -Wl,--export=walk
//     -fdebug-compilation-dir=/shapes -o shapes.wasm shapes.c
typedef unsigned int length_t;
enum colour { RED, GREEN = 5, BLUE = -1 };
struct point {
    short x, y;
};
struct shape {
    enum colour colour;
    struct point corners[4];
    struct shape *next;
    unsigned filled : 1;
    unsigned width : 7;
    double scales[2][3];
    union {
        float real;
        int whole;
    } value;
};
typedef int (*visitor)(const struct shape *, length_t);

static int weights[8] = {1, 2, 3};
const char *title = "shapes";
volatile int visits;

void fill(char *buffer, length_t size);

static inline int weight(int index) {
    return weights[index & 7] * 2;
}

__attribute__((noinline)) void fill(char *buffer, length_t size) {
    for (length_t i = 0; i < size; i++)
        buffer[i] = title[i % 6];
}

int sum(const unsigned char *bytes, length_t size) {
    char buffer[24];
    int total = 0;
    fill(buffer, sizeof buffer);
    for (length_t i = 0; i < size; i++)
        total += weight(bytes[i]) + buffer[bytes[i] & 15];
    return total;
}

int walk(struct shape *first, visitor visit, void *context, _Bool twice) {
    static int calls;
    struct point seen[2] = {{1, 2}, {3, 4}};
    int total = 0;
    calls++;
    for (; first; first = first->next) {
        total += visit(first, 1) + seen[total & 1].x;
        seen[total & 1].y = (short)total;
        visits++;
    }
    return total + seen[calls & 1].y;
}
