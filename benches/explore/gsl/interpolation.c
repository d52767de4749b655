/* Integrals and derivatives of interpolating functions: points, values and the place of evaluation are symbolic,
 * and whether the last place is remembered. */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_interp.h>

#include "symbolic.h"

int main(void) {
    double x[SIZE], y[SIZE], from, to, result;
    char is_remembered;
    SYMBOLIC(x);
    SYMBOLIC(y);
    SYMBOLIC(from);
    SYMBOLIC(to);
    SYMBOLIC(is_remembered);
    gsl_set_error_handler_off();
    gsl_interp *interpolation = gsl_interp_alloc(TYPE, SIZE);
    gsl_interp_accel *accelerator = is_remembered ? gsl_interp_accel_alloc() : NULL;
    if (gsl_interp_init(interpolation, x, y, SIZE) == GSL_SUCCESS) {
#ifdef INTEGRAL
        gsl_interp_eval_integ_e(interpolation, x, y, from, to, accelerator, &result);
#else
        gsl_interp_eval_deriv_e(interpolation, x, y, from, accelerator, &result);
#endif
    }
    gsl_interp_accel_free(accelerator);
    gsl_interp_free(interpolation);
    return 0;
}
