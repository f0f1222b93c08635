/* What the convolution's kernels and the C that launches them share, read by both: arguments, whose
 * pointers are the device's, and the sizes of blocks. */
#ifndef CONVOLVE_ARGS_H
#define CONVOLVE_ARGS_H

/* Neighbours that a thread of products.cu makes at a time. */
#define PRODUCT_RUN 8

#define STEP        8  /* taps at a time: weights of 0 fill the last ones up */
#define COLUMNS_MAX 64 /* of a matrix whose last ones are filled up */

/* The matrix at run time. weights: [columns][rows], down each column; for alpha that is only to
 * weigh, as many again follow. Its first one is for the pixel left columns and top rows away. */
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

/* What becomes of a sum: colour that is divided by alpha is multiplied by gain; offset, one a
 * channel, comes last. */
typedef struct {
  float gain;
  float offset[4];
} ConvolveAfter;

FX_ASSERT_SIZE (ConvolveAfter, 20);

#endif
