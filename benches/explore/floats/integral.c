/* Adaptive integration of a rational function with symbolic coefficients, limits and accuracy, in at most 2 intervals. */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_integration.h>

#include "symbolic.h"

static double coefficients[2];

static double integrand(double x, void *unused) {
    (void)unused;
    return coefficients[0] / (coefficients[1] + x * x);
}

int main(void) {
    double from, to, absolute, relative, result, error;
    SYMBOLIC(coefficients);
    SYMBOLIC(from);
    SYMBOLIC(to);
    SYMBOLIC(absolute);
    SYMBOLIC(relative);
    gsl_set_error_handler_off();
    gsl_function function = {integrand, NULL};
    gsl_integration_workspace *workspace = gsl_integration_workspace_alloc(2);
    gsl_integration_qag(
        &function, from, to, absolute, relative, 2, GSL_INTEG_GAUSS15, workspace, &result, &error);
    gsl_integration_workspace_free(workspace);
    return 0;
}
