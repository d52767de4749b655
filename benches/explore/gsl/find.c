/* The bin of a histogram with 8 symbolic ranges that a symbolic value falls into. */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_histogram.h>

#include "symbolic.h"

int main(void) {
    double range[9], x;
    size_t bin = 0;
    SYMBOLIC(range);
    SYMBOLIC(x);
    gsl_set_error_handler_off();
    gsl_histogram *histogram = gsl_histogram_alloc(8);
    if (gsl_histogram_set_ranges(histogram, range, 9) == GSL_SUCCESS)
        gsl_histogram_find(histogram, x, &bin);
    gsl_histogram_free(histogram);
    return 0;
}
