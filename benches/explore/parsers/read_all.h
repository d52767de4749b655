/* Standard input as a whole. The seeds are smaller than the limit, and addresses into large objects would be fixed. */
#ifndef READ_ALL_H
#define READ_ALL_H

#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_BYTES = 256 };

static unsigned char *read_all(size_t *length) {
    static unsigned char buffer[MOST_BYTES];
    size_t count = 0;
    ssize_t more;
    while (count < sizeof buffer && (more = read(0, buffer + count, sizeof buffer - count)) > 0)
        count += (size_t)more;
    *length = count;
    return buffer;
}

#endif
