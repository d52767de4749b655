/* The transform of up to 16 symbolic numbers. */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_fft_real.h>

#include "symbolic.h"

int main(void) {
    double data[16];
    SYMBOLIC(data);
    size_t size = symbolic_size(16, "size");
    gsl_set_error_handler_off();
    gsl_fft_real_radix2_transform(data, 1, size);
    return 0;
}
