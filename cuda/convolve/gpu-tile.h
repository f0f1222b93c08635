/* The blocks of the convolution's kernels, and their shared memory. Pure arithmetic. */
#ifndef CONVOLVE_GPU_TILE_H
#define CONVOLVE_GPU_TILE_H

#include "convolve-plan.h"
#include "gpu-run.h"

#include "kernels/convolve-args.h" /* needs gpu-run.h before it */

G_BEGIN_DECLS

/* A block of direct.cu: its columns; its groups of run rows each; chunk, the rows of the matrix
 * that are processed at a time; shared, the bytes of shared memory in addition to the kernel's
 * own. */
typedef struct {
  int columns, groups, run;
  int chunk;
  gboolean by_rows; /* the layout in shared memory */
  gsize shared;
} ConvolveTile;

/* Return the blocks of the generic program and of the specialised one, whose chunk is 0 if the
 * matrix does not fit. */
ConvolveTile convolve_tile_choose (const FxProgramCase *program_case);
ConvolveTile convolve_tile_choose_specialised (const FxProgramCase *program_case);

/* Returns the number of taps that a kernel processes for taps taps: the rest are 0. */
int convolve_round_taps (int taps);

/* Return the columns of a block of products.cu, and the bytes of its shared memory. */
int convolve_products_choose_tile (const FxProgramCase *program_case);
gsize convolve_products_get_shared (const ConvolvePlan *plan, int tile);

/* Returns whether so many products fit into the shared memory that every device has. */
gboolean convolve_products_fit (const ConvolvePlan *plan, int products);

G_END_DECLS

#endif
