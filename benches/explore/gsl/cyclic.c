/* Cyclic tridiagonal systems of up to 4 symbolic equations. */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>

#include "symbolic.h"

int main(void) {
    double diagonal[4], above[4], below[4], right[4], solution[4];
    SYMBOLIC(diagonal);
    SYMBOLIC(above);
    SYMBOLIC(below);
    SYMBOLIC(right);
    size_t size = symbolic_size(4, "size");
    if (size == 0)
        return 0;
    gsl_set_error_handler_off();
    gsl_vector_view diagonal_view = gsl_vector_view_array(diagonal, size);
    gsl_vector_view above_view = gsl_vector_view_array(above, size);
    gsl_vector_view right_view = gsl_vector_view_array(right, size);
    gsl_vector_view solution_view = gsl_vector_view_array(solution, size);
#ifdef SYMMETRIC
    gsl_linalg_solve_symm_cyc_tridiag(
        &diagonal_view.vector, &above_view.vector, &right_view.vector, &solution_view.vector);
#else
    gsl_vector_view below_view = gsl_vector_view_array(below, size);
    gsl_linalg_solve_cyc_tridiag(&diagonal_view.vector, &above_view.vector, &below_view.vector, &right_view.vector,
        &solution_view.vector);
#endif
    return 0;
}
