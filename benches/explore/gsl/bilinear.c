/* The derivative of a bilinear interpolation in y on a grid of 3 by 3 points, remembering the last place or not. */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_interp2d.h>

#include "symbolic.h"

int main(void) {
    double x[3], y[3], z[9], at_x, at_y, result;
    char is_remembered;
    SYMBOLIC(x);
    SYMBOLIC(y);
    SYMBOLIC(z);
    SYMBOLIC(at_x);
    SYMBOLIC(at_y);
    SYMBOLIC(is_remembered);
    gsl_set_error_handler_off();
    gsl_interp2d *interpolation = gsl_interp2d_alloc(gsl_interp2d_bilinear, 3, 3);
    gsl_interp_accel *column = is_remembered ? gsl_interp_accel_alloc() : NULL;
    gsl_interp_accel *row = is_remembered ? gsl_interp_accel_alloc() : NULL;
    if (gsl_interp2d_init(interpolation, x, y, z, 3, 3) == GSL_SUCCESS)
        gsl_interp2d_eval_deriv_y_e(interpolation, x, y, z, at_x, at_y, column, row, &result);
    gsl_interp_accel_free(column);
    gsl_interp_accel_free(row);
    gsl_interp2d_free(interpolation);
    return 0;
}
