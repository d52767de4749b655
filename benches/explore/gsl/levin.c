/* The sum of a series of 5 symbolic terms, with symbolic limits on the number of terms that are used. */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_sum.h>

#include "symbolic.h"

int main(void) {
    double terms[5], sum, error;
    SYMBOLIC(terms);
    size_t least = symbolic_size(8, "least"), most = symbolic_size(8, "most");
    gsl_set_error_handler_off();
    gsl_sum_levin_u_workspace *workspace = gsl_sum_levin_u_alloc(5);
    gsl_sum_levin_u_minmax(terms, 5, least, most, workspace, &sum, &error);
    gsl_sum_levin_u_free(workspace);
    return 0;
}
