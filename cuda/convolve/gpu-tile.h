/* The blocks of the convolution's kernels, and what they have in shared memory; and by which of
 * them a matrix is best made. Pure arithmetic. */
#ifndef CONVOLVE_GPU_TILE_H
#define CONVOLVE_GPU_TILE_H

#include "convolve-plan.h"
#include "gpu-run.h"

#include "kernels/convolve-args.h" /* which needs what gpu-run.h has */

G_BEGIN_DECLS

/* A block of direct.cu: columns, and runs of so many rows; rows of the matrix at a time; bytes of
 * shared memory beside what the kernel has of its own. */
typedef struct {
  int columns, groups, run;
  int chunk;
  gboolean by_rows; /* how it lies in shared memory */
  gsize shared;
} ConvolveTile;

/* Of the generic program, and of the specialised one, whose chunk is 0 where the matrix does not
 * fit. */
ConvolveTile convolve_tile_choose (const FxProgramCase *what);
ConvolveTile convolve_tile_choose_specialised (const FxProgramCase *what);

/* How many taps a kernel makes of those: it fills them up with 0. */
int convolve_round_taps (int taps);

/* The columns of a block of products.cu; what it has in shared memory, in bytes. */
int convolve_products_choose_tile (const FxProgramCase *what);
gsize convolve_products_get_shared (const ConvolvePlan *plan, int tile);

G_END_DECLS

#endif
