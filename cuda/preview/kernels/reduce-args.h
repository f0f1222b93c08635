/* Declarations shared by reduce.cu and the C code that launches it. Include args.h of the gpu room
 * first. */
#ifndef FX_REDUCE_ARGS_H
#define FX_REDUCE_ARGS_H

#include "cover.h"

#define FX_REDUCE_THREADS 256 /* per block */

/* The rows of a filtered image from row top on, columns left to right - 1, in the stored image's
 * coordinates. pixels NULL: the image is not filtered. */
typedef struct {
  const FX_STORED *pixels;
  int left, right, top;
} FxResult;

FX_ASSERT_SIZE (FxResult, 24);

#endif
