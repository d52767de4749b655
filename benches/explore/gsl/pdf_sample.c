/* A sample of the distribution that a histogram of 3 by 3 symbolic bins describes. */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_histogram2d.h>

#include "symbolic.h"

int main(void) {
    double bins[9], first, second, x, y;
    SYMBOLIC(bins);
    SYMBOLIC(first);
    SYMBOLIC(second);
    gsl_set_error_handler_off();
    gsl_histogram2d *histogram = gsl_histogram2d_alloc(3, 3);
    gsl_histogram2d_set_ranges_uniform(histogram, 0, 3, 0, 3);
    for (int bin = 0; bin < 9; bin++)
        histogram->bin[bin] = bins[bin];
    gsl_histogram2d_pdf *distribution = gsl_histogram2d_pdf_alloc(3, 3);
    if (gsl_histogram2d_pdf_init(distribution, histogram) == GSL_SUCCESS)
        gsl_histogram2d_pdf_sample(distribution, first, second, &x, &y);
    gsl_histogram2d_pdf_free(distribution);
    gsl_histogram2d_free(histogram);
    return 0;
}
