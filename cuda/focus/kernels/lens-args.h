/* Declarations shared by the kernels of the lens and the C code that launches them. */
#ifndef FOCUS_LENS_ARGS_H
#define FOCUS_LENS_ARGS_H

#include "outline.h"

/* Pixels of a row that a thread sums at a time. */
#define LENS_RUN 4

/* Scales the sums of floats, so that those of rows of finite pixels are finite. */
#define LENS_SCALE 9.5367431640625e-07f /* 2^-20 */

/* The sums of rows y_first to y_first + rows - 1, which the abyss continues beyond the edges of the
 * image: a place in a row, of which the first is column x_first, has the sum of all pixels to the
 * left of it. Sums are unsigned integers modulo 2^32, of samples times scale, if the differences
 * along an aperture fit; otherwise the sum of two floats. */
typedef struct {
  void *sums;      /* of integers, or the larger floats */
  void *rest;      /* the smaller floats */
  unsigned *marks; /* counts of what is not finite and counts as 0: of +infinity in the lower half
                      of a word, of -infinity in the upper one, of NaN in both. NULL: the format has
                      none */
  int *marked;     /* whether there is any */
  int x_first, columns, y_first, rows;
  float scale;
} FocusSums;

FX_ASSERT_SIZE (FocusSums, 56);

#endif
