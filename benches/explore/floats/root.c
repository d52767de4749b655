/* Brent's method for a root of a symbolic cubic polynomial in a symbolic interval, at most 5 steps. */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_roots.h>

#include "symbolic.h"

static double coefficients[4];

static double cubic(double x, void *unused) {
    (void)unused;
    return coefficients[0] + x * (coefficients[1] + x * (coefficients[2] + x * coefficients[3]));
}

int main(void) {
    double from, to;
    SYMBOLIC(coefficients);
    SYMBOLIC(from);
    SYMBOLIC(to);
    gsl_set_error_handler_off();
    gsl_function function = {cubic, NULL};
    gsl_root_fsolver *solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    int status = gsl_root_fsolver_set(solver, &function, from, to);
    for (int step = 0; step < 5 && status == GSL_SUCCESS; step++)
        status = gsl_root_fsolver_iterate(solver)
            || gsl_root_test_interval(gsl_root_fsolver_x_lower(solver), gsl_root_fsolver_x_upper(solver), 0, 1e-3)
                == GSL_SUCCESS;
    gsl_root_fsolver_free(solver);
    return 0;
}
