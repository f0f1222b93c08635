/* Declarations shared by the convolution's kernels and the C code that launches them: arguments,
 * whose pointers are device pointers, and block sizes. */
#ifndef CONVOLVE_ARGS_H
#define CONVOLVE_ARGS_H

/* Neighbouring samples that a thread of products.cu computes at a time. */
#define PRODUCT_RUN 8

#define STEP        8  /* taps at a time; the last ones are padded with weights of 0 */
#define COLUMNS_MAX 64 /* the most columns of a padded matrix */

/* The matrix, passed at run time. weights is [columns][rows], down each column; if alpha has its
 * own weights, they follow. The first weight is for the pixel left columns and top rows away. */
typedef struct {
  const float *weights;
  int rows, columns;
  int top, left;
} ConvolveTaps;

FX_ASSERT_SIZE (ConvolveTaps, 24);

/* Products of a column and a row: [terms][rows] and [terms][columns] weights. */
typedef struct {
  const float *along_y, *along_x;
} ConvolveProducts;

FX_ASSERT_SIZE (ConvolveProducts, 16);

/* The conversion of sums to results: colour that is divided by alpha is multiplied by gain; offset
 * is added to each channel last. */
typedef struct {
  float gain;
  float offset[4];
} ConvolveAfter;

FX_ASSERT_SIZE (ConvolveAfter, 20);

#endif
