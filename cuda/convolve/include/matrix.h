/* A matrix of weights: the smallest box that contains those other than 0, and its factors if it is
 * a sum of few products of a column and a row. Pure arithmetic, without a device or I/O. */
#pragma once

#include <glib.h>

#define CONVOLVE_PRODUCTS_MAX 4  /* the most products that are used */
#define CONVOLVE_SMALL_MAX    63 /* the most rows, and the most columns, of a small matrix */

typedef struct {
  int rows, columns; /* of the box; 1 x 1 if all weights are 0 */
  int top, left;     /* the box's first row and column, relative to the pixel: -511 to 511 */
  float *weights;    /* rows * columns weights, row by row */
  int taps;          /* weights other than 0 */
  double magnitude;  /* the sum of the weights' magnitudes */
  double squares;    /* the sum of their squares */

  /* Products whose sum equals the box to within 2e-7 of the sum of its weights' magnitudes, the
   * error that their rounding causes anyway, the largest first. A rank above CONVOLVE_PRODUCTS_MAX
   * counts as CONVOLVE_PRODUCTS_MAX + 1; the arrays are NULL then. */
  int rank;
  float *along_y; /* [rank][rows] */
  float *along_x; /* [rank][columns] */
} ConvolveMatrix;

/* Fills matrix with rows x columns values, each divided by divisor. rows and columns must be odd.
 * 1023x1023 values take some 10 ms.
 * Returns FALSE if memory runs out. In either case free the contents with convolve_matrix_clear. */
gboolean convolve_matrix_init (ConvolveMatrix *matrix, const double *values, int rows, int columns,
                               double divisor);

/* Frees the arrays of matrix, not matrix itself. */
void convolve_matrix_clear (ConvolveMatrix *matrix);

/* Returns whether the box has more than CONVOLVE_SMALL_MAX rows or columns: on a GPU, sums over
 * its values would take too long. */
gboolean convolve_matrix_is_large (const ConvolveMatrix *matrix);

/* Returns how many products compute the matrix, or 0 if a sum over the taps costs less. Sets cost
 * to that of the cheaper one, in taps of that sum. fixed is the cost of a product, and each that of
 * each of its taps. */
int convolve_matrix_choose_products (const ConvolveMatrix *matrix, double fixed, double each,
                                     double *cost);
