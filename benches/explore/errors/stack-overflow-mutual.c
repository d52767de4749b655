// Expands two macros: byte 0 is what the first stands for, byte 1 what the second stands for.
#include <unistd.h>

static char meaning[2];

static int expand(char name, int depth);

static int follow(char name, int depth) {
    volatile char room[512];
    room[0] = name;
    return expand(room[0], depth + 1) + room[0];
}

static int expand(char name, int depth) {
    volatile char room[512];
    room[0] = name;
    if (room[0] == 'b')
        return follow(meaning[1], depth) + room[0];
    if (room[0] == 'B')
        return follow(meaning[0], depth) + room[0];
    return depth;
}

int main(void) {
    char in[2] = {0};
    if (read(0, in, sizeof in) < 2)
        return 0;
    meaning[0] = in[0] == 'a' ? 'b' : 'x';
    meaning[1] = in[1] == 'b' ? 'B' : 'y';
    return expand('B', 0) & 1;
}
