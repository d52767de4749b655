/* Decompositions and eigenvalues of a symbolic matrix of 3 by 3 numbers, or 2 by 2 where the macro SIZE says so. */
#include <gsl/gsl_blas.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>

#include "symbolic.h"

#ifndef SIZE
#define SIZE 3
#endif

static double numbers[SIZE * SIZE], right[SIZE];

int main(void) {
    SYMBOLIC(numbers);
    SYMBOLIC(right);
    gsl_set_error_handler_off();
    gsl_matrix_view view = gsl_matrix_view_array(numbers, SIZE, SIZE);
    gsl_matrix *matrix = &view.matrix;
    gsl_vector_view right_view = gsl_vector_view_array(right, SIZE);
    gsl_vector *solution = gsl_vector_calloc(SIZE);
#if defined(SYMMETRIC)
    gsl_eigen_symm_workspace *workspace = gsl_eigen_symm_alloc(SIZE);
    gsl_eigen_symm(matrix, solution, workspace);
    gsl_eigen_symm_free(workspace);
#elif defined(GENERAL)
    gsl_eigen_nonsymm_workspace *workspace = gsl_eigen_nonsymm_alloc(SIZE);
    gsl_vector_complex *values = gsl_vector_complex_calloc(SIZE);
    gsl_eigen_nonsymm(matrix, values, workspace);
    gsl_vector_complex_free(values);
    gsl_eigen_nonsymm_free(workspace);
#elif defined(JACOBI)
    gsl_matrix *orthogonal = gsl_matrix_calloc(SIZE, SIZE);
    gsl_linalg_SV_decomp_jacobi(matrix, orthogonal, solution);
    gsl_matrix_free(orthogonal);
#elif defined(SINGULAR)
    gsl_matrix *orthogonal = gsl_matrix_calloc(SIZE, SIZE);
    gsl_vector *work = gsl_vector_calloc(SIZE);
    gsl_linalg_SV_decomp(matrix, orthogonal, solution, work);
    gsl_vector_free(work);
    gsl_matrix_free(orthogonal);
#elif defined(CHOLESKY)
    if (gsl_linalg_cholesky_decomp1(matrix) == GSL_SUCCESS)
        gsl_linalg_cholesky_solve(matrix, &right_view.vector, solution);
#elif defined(TRIANGULAR)
    int sign;
    gsl_permutation *permutation = gsl_permutation_calloc(SIZE);
    gsl_linalg_LU_decomp(matrix, permutation, &sign);
    gsl_linalg_LU_solve(matrix, permutation, &right_view.vector, solution);
    gsl_permutation_free(permutation);
#elif defined(ORTHOGONAL)
    gsl_vector *factors = gsl_vector_calloc(SIZE);
    gsl_linalg_QR_decomp(matrix, factors);
    gsl_linalg_QR_solve(matrix, factors, &right_view.vector, solution);
    gsl_vector_free(factors);
#else
#error "a macro says which decomposition"
#endif
    gsl_vector_free(solution);
    return 0;
}
