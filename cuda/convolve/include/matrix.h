/* A matrix of weights: the box of those that are not 0, and the products of a column and a row that
 * it is the sum of. Pure arithmetic, no device, no I/O. */
#ifndef CONVOLVE_MATRIX_H
#define CONVOLVE_MATRIX_H

#include <glib.h>

G_BEGIN_DECLS

#define CONVOLVE_PRODUCTS_MAX 4 /* that a matrix is made by */

typedef struct {
  int rows, columns; /* of the box; where all weights are 0, of one of them */
  int top, left;     /* where it begins, from the pixel that it is about: -31 to 31 */
  float *weights;    /* rows * columns of them, row by row */
  int taps;          /* those that are not 0 */

  /* The fewest products whose sum is the box, to 2e-7 of the sum of its weights' magnitudes, which
   * is what their rounding leaves anyhow; those of the largest singular values, the largest first.
   * NULL where they are more than CONVOLVE_PRODUCTS_MAX. */
  int rank;
  float *along_y; /* [rank][rows] */
  float *along_x; /* [rank][columns] */
} ConvolveMatrix;

/* Fills matrix with rows x columns values, each divided by divisor; rows and columns are odd. */
void convolve_matrix_init (ConvolveMatrix *matrix, const double *values, int rows, int columns,
                           double divisor);

/* Frees what matrix points to. */
void convolve_matrix_clear (ConvolveMatrix *matrix);

/* How many products it is best made by; 0: by its taps. A product costs as much as each taps, and
 * its own taps as much as times so many. */
int convolve_matrix_choose_products (const ConvolveMatrix *matrix, double each, double times);

G_END_DECLS

#endif
