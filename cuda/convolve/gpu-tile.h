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

/* specialise.c: generates a matrix's sums as source text that contains each tap other than 0, and
 * no other. */

#define CONVOLVE_SPECIALISED_RUN 8 /* rows of the result per thread */

/* Multiplications per sample. More would take over half a second to compile; for a dense 21x21
 * matrix the generic program is as fast. */
#define CONVOLVE_SPECIALISED_TAPS 225

/* Returns whether the taps of a small matrix can be compiled in: columns that are alike count once.
 */
gboolean convolve_can_specialise (const ConvolveMatrix *matrix);

/* Returns the constants ROWS, COLUMNS and TAPS of kernels/direct.cu, for a matrix whose taps can be
 * compiled in; free them with g_free. */
char *convolve_specialise (const ConvolveMatrix *matrix);

G_END_DECLS

#endif
