/* A line through 4 symbolic points by least squares. */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>

#include "symbolic.h"

int main(void) {
    double numbers[8], right[4], factors[2], solution[2], residual[4];
    SYMBOLIC(numbers);
    SYMBOLIC(right);
    gsl_set_error_handler_off();
    gsl_matrix_view matrix = gsl_matrix_view_array(numbers, 4, 2);
    gsl_vector_view right_view = gsl_vector_view_array(right, 4), factors_view = gsl_vector_view_array(factors, 2);
    gsl_vector_view solution_view = gsl_vector_view_array(solution, 2);
    gsl_vector_view residual_view = gsl_vector_view_array(residual, 4);
    gsl_linalg_QR_decomp(&matrix.matrix, &factors_view.vector);
    gsl_linalg_QR_lssolve(
        &matrix.matrix, &factors_view.vector, &right_view.vector, &solution_view.vector, &residual_view.vector);
    return 0;
}
