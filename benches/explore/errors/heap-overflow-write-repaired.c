// Puts a mark at a column of a row on the heap.
#include <stdlib.h>
#include <unistd.h>

enum { COLUMNS = 16 };

int main(void) {
    unsigned char in[2] = {0};
    if (read(0, in, sizeof in) < 2 || in[0] != '#')
        return 0;
    char *row = calloc(COLUMNS, 1);
    if (!row)
        return 1;
    if (in[1] < COLUMNS)
        row[in[1]] = '*';
    write(1, row, COLUMNS);
    free(row);
    return 0;
}
