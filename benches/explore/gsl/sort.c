/* Sorting up to 6 symbolic numbers. */
#include <gsl/gsl_sort.h>

#include "symbolic.h"

int main(void) {
    double data[6];
    SYMBOLIC(data);
    gsl_sort(data, 1, symbolic_size(6, "size"));
    return 0;
}
