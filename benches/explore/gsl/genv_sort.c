/* Sorting 3 generalised eigenvalues and their vectors in an order that is symbolic too. */
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_errno.h>

#include "symbolic.h"

int main(void) {
    double alpha[6], beta[3], vectors[18] = {0};
    int order;
    SYMBOLIC(alpha);
    SYMBOLIC(beta);
    SYMBOLIC(order);
    gsl_set_error_handler_off();
    gsl_vector_complex_view alpha_view = gsl_vector_complex_view_array(alpha, 3);
    gsl_vector_view beta_view = gsl_vector_view_array(beta, 3);
    gsl_matrix_complex_view vectors_view = gsl_matrix_complex_view_array(vectors, 3, 3);
    gsl_eigen_genv_sort(&alpha_view.vector, &beta_view.vector, &vectors_view.matrix, (gsl_eigen_sort_t)order);
    return 0;
}
