/* The convolution on the GPU: programs, paths, blocks, and the matrix on the device, which all
 * paths use. */
#pragma once

#include "convolve-plan.h"
#include "gpu-run.h"

#include "kernels/convolve-args.h" /* needs gpu-run.h before it */

/* gpu-direct.c: a sum over the taps, which are passed at run time or compiled in. */
extern const FxProgram convolve_program_direct, convolve_program_direct_specialised;
extern const FxGpuPath convolve_gpu_direct;

/* gpu-products.c: a sum of products of a column and a row. */
extern const FxProgram convolve_program_products;
extern const FxGpuPath convolve_gpu_products;

/* gpu-fft.c: a product of Fourier transforms, in three kernels, besides that for its spectrum, in
 * single and in double precision; and the kernel that recomputes single results. */
#define CONVOLVE_FFT_PROGRAMS 4
extern const FxProgram convolve_program_fft[CONVOLVE_FFT_PROGRAMS];
extern const FxProgram convolve_program_fft_precise[CONVOLVE_FFT_PROGRAMS];
extern const FxProgram convolve_program_fft_recompute;
extern const FxGpuPath convolve_gpu_fft;

/* gpu-tile.c: blocks, and their shared memory. Pure arithmetic. */

/* A block of direct.cu. */
typedef struct {
  int columns, groups, run; /* groups of run rows each */
  int chunk;                /* rows of the matrix that are processed at a time */
  gboolean by_rows;         /* the layout in shared memory */
  gsize shared;             /* bytes of shared memory, in addition to the kernel's own */
} ConvolveTile;

/* Return the blocks of the generic program and of the specialised one, whose chunk is 0 if the
 * matrix does not fit. */
ConvolveTile convolve_tile_choose (const FxProgramCase *program_case);
ConvolveTile convolve_tile_choose_specialised (const FxProgramCase *program_case);

/* Return the columns of a block of products.cu, and the bytes of its shared memory. */
int convolve_products_choose_tile (const FxProgramCase *program_case);
gsize convolve_products_get_shared (const ConvolvePlan *plan, int tile);

/* Returns whether so many products fit into the shared memory that every device has. */
gboolean convolve_products_fit (const ConvolvePlan *plan, int products);

/* specialise.c: generates the sums of a matrix as source text with exactly the taps other than
 * 0. */

#define CONVOLVE_SPECIALISED_RUN 8 /* rows of the result per thread */

/* Multiplications per sample. More would take over half a second to compile; for a dense 21x21
 * matrix the generic program is as fast. */
#define CONVOLVE_SPECIALISED_TAPS 225

/* Returns whether the taps of a small matrix can be compiled in. Equal columns count once. */
gboolean convolve_can_specialise (const ConvolveMatrix *matrix);

/* Returns the constants ROWS, COLUMNS and TAPS of kernels/direct.cu, for a matrix whose taps can be
 * compiled in; free them with g_free. */
char *convolve_specialise (const ConvolveMatrix *matrix);

/* gpu-taps.c */

/* The common part of each path's run, which is its first member. */
typedef struct {
  FxGpuRun base;
  ConvolveTaps taps;
  ConvolveProducts products;
  ConvolveAfter after;
} ConvolveGpuRun;

/* Returns the last argument of kernels that decode or encode. Kernels without highlights do not
 * have it. */
static inline gpointer
convolve_gpu_run_get_highlights (const FxGpuRun *run)
{
  FX_ASSERT_SIZE (FxHighlights, 12); /* as in kernels/args.h */
  return (gpointer) &run->base.plan->codec.highlights;
}

/* Uploads the matrix and its products, if there are any. Returns FALSE with error on failure. */
gboolean convolve_gpu_run_begin (ConvolveGpuRun *run, GError **error);

/* Queues an area by the sum over the taps (gpu-direct.c). kernel is that of direct.cu, with blocks
 * of tile. The kernel stores rows as wide as the area, so the result must not be cut along x. */
gboolean convolve_gpu_run_queue_direct (ConvolveGpuRun *run, FxKernel *kernel,
                                        const ConvolveTile *tile, const FxRect *area,
                                        GError **error);

/* Appends the constants of kernels/result.cuh and of the files that it builds on. */
void convolve_define_result (const FxProgramCase *program_case, GString *text);
