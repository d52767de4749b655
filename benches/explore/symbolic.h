/* Symbolic doubles and integers for the drivers. */
#ifndef SYMBOLIC_H
#define SYMBOLIC_H

#include <sundry.h>

#define SYMBOLIC(object) sundry_symbolic(&(object), sizeof(object), #object)

/* A symbolic number from 0 to a limit. */
static inline size_t symbolic_size(size_t limit, const char *name) {
    size_t size = 0;
    sundry_symbolic(&size, sizeof size, name);
    sundry_assume(size <= limit);
    return size;
}

#endif
