/* Random matrices of the kinds that a convolution may treat differently. */
#pragma once

#include <glib.h>

typedef enum {
  MATRIX_DENSE,
  MATRIX_POSITIVE,
  MATRIX_SPARSE,
  MATRIX_RANK_1,
  MATRIX_RANK_2,
  MATRIX_RANK_3,
  MATRIX_ZERO_SUM,
  MATRIX_SYMMETRIC, /* each row is its own mirror image */
  MATRIX_OPPOSITE,  /* each row is its own mirror image's opposite */
  MATRIX_BOX,
  MATRIX_ONE, /* one value that is not 0, anywhere */
  MATRIX_ZERO,
  MATRICES,
} MatrixKind;

/* rows * columns values, row by row; free them with g_free. Random numbers are GLib's tests'. */
double *matrix_make (MatrixKind kind, int rows, int columns);
