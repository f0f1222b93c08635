/* The run of a convolution by Fourier transforms on the GPU (gpu-fft.c), its programs, its
 * transforms and their errors. */
#pragma once

#include "convolve-gpu.h"

#include "kernels/fft-args.h" /* needs args.h before it */

/* The places of convolve_program_fft. */
enum { FFT_ROWS, FFT_COLUMNS, FFT_RESULT, FFT_SPECTRUM };

/* Transforms by tiles of one size, in one precision. */
typedef struct {
  ConvolveGpuFftTile tile;
  FxKernel *kernels[CONVOLVE_FFT_PROGRAMS];
  ConvolveFft fft;
  gsize tiles;    /* of the area */
  gboolean ready; /* the spectrum is, and the factors are, on the device */
} FftTransform;

typedef struct {
  ConvolveGpuRun base;
  FftTransform single;
  FftTransform precise; /* for tiles of a large matrix with results that have to be recomputed */

  FxKernel *direct_kernel, *recompute_kernel; /* of a small matrix, or NULL */
  ConvolveTile direct;                        /* for tiles that a transform cannot do */
  guint *state;                               /* of an area: see gpu-fft-recompute.c */
} FftRun;

/* gpu-fft-programs.c */

/* Implements FxGpuPath's get_programs: those of single tiles, those of precise ones, the sum over
 * the taps, and the program that recomputes results, as far as plan may need them. */
int convolve_gpu_fft_get_programs (const FxPlan *plan, FxVariants variants,
                                   const FxProgram **programs);

/* Sets the run's kernels and tiles. The run uses the tile for its areas if the programs for it are
 * compiled, and otherwise starts to compile them in the background. Returns FALSE with error if the
 * run must wait for them and that fails. */
gboolean convolve_gpu_fft_find_kernels (FftRun *run, GError **error);

/* gpu-fft-transform.c */

/* Returns the bytes of a tile's planes. */
gsize convolve_gpu_fft_get_tile_bytes (const ConvolvePlan *plan, const ConvolveGpuFftTile *tile);

/* Returns the bytes that a transform's spectrum and twiddle factors take. */
gsize convolve_gpu_fft_get_table_bytes (const ConvolveGpuFftTile *tile);

/* Queues the transform of the matrix, once per run, into tables. */
gboolean convolve_gpu_fft_make_tables (FftRun *run, FftTransform *transform, gpointer tables,
                                       GError **error);

/* Sets the area and its tiles. */
void convolve_gpu_fft_set_area (FftTransform *transform, const FxRect *area);

/* Returns the number of tiles of an area of width x rows pixels. */
gsize convolve_gpu_fft_count_tiles (const ConvolveGpuFftTile *tile, int width, int rows);

/* Returns how many of that number of tiles one launch transforms. */
gsize convolve_gpu_fft_count_together (const ConvolvePlan *plan, const ConvolveGpuFftTile *tile,
                                       gsize tiles);

/* Queues n tiles of the area from number first on. */
gboolean convolve_gpu_fft_queue_tiles (FftRun *run, const FftTransform *transform, gsize first,
                                       gsize n, GError **error);

/* gpu-fft-recompute.c */

/* Returns the bytes of the state of an area with these numbers of tiles and results. */
gsize convolve_gpu_fft_get_state_bytes (const ConvolvePlan *plan, gsize tiles, gsize precise_tiles,
                                        gsize results);

/* Lays out an area's state from memory on, and queues its clearing. */
gboolean convolve_gpu_fft_clear_state (FftRun *run, gpointer memory, const FxRect *area,
                                       GError **error);

/* Waits for the area's results, and queues what recomputes those that transforms cannot do or that
 * are not exact enough. */
gboolean convolve_gpu_fft_recompute_area (FftRun *run, const FxRect *area, GError **error);

/* gpu-fft-error.c. Pure arithmetic. */

/* Sets the errors in fft: of plan's sums by transforms with tile, relative to the largest magnitude
 * in the tile, or to 1 if that is not computed; and of its samples, without their rounding. shown:
 * the samples are only displayed, in 8 bits. */
void convolve_gpu_fft_set_errors (const ConvolvePlan *plan, const ConvolveGpuFftTile *tile,
                                  gboolean shown, ConvolveFft *fft);

/* Return whether results may have to be recomputed (the strategy's recomputes), and whether the
 * curve keeps the errors of the plan's tile, or of the largest one for a large matrix, within the
 * contract. */
gboolean convolve_gpu_fft_may_recompute (const ConvolvePlan *plan);
gboolean convolve_gpu_fft_is_exact_enough (const ConvolvePlan *plan);
