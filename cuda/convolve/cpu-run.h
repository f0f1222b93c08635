/* The convolution on the CPU. Each row of the source is decoded into a ring of rows; each row of
 * the result is a weighted sum of segments of them, one for each tap. If the matrix is a sum of few
 * products, the ring holds the rows filtered along x, for each product, and the taps are those
 * along y. If there are many taps, the sums are computed by FFT, for all rows of a chunk at
 * once. */
#pragma once

#include "convolve-plan.h"
#include "cpu-blocks.h"
#include "cpu-fft-tile.h"

/* A segment of a row of the ring. */
typedef struct {
  int y;  /* rows below that of the result */
  int at; /* floats from the start of the plane */
} ConvolveCpuTap;

/* A thread's scratch space. */
typedef struct {
  float *line;        /* a row of the source by planes, then a plane with its borders */
  const float **rows; /* one per tap, or per row of each layer of a tile */
  ConvolveFftPoint *points, *column; /* of a tile */
} ConvolveCpuScratch;

/* The spectra: of the weights for colour and for alpha, which may be the same; and of the positive
 * and the negative weights, which only pictures with infinities need. */
enum {
  CONVOLVE_FFT_COLOR,
  CONVOLVE_FFT_ALPHA,
  CONVOLVE_FFT_SIGNS,
  CONVOLVE_FFT_SPECTRA = CONVOLVE_FFT_SIGNS + 2
};

typedef struct {
  ConvolveFftSize size;
  ConvolveFftTile tile;
  int across, n_pairs; /* in a row of tiles: the tiles of a channel, and the pairs */
  ConvolveFftPoint *spectra[CONVOLVE_FFT_SPECTRA];
  gsize signs_ready; /* for g_once: the spectra of the signs are computed */
} ConvolveCpuFft;

typedef struct {
  FxCpuBlocks base;
  const ConvolvePlan *plan;
  int channels, products;
  gboolean transforms;
  gsize pitch;        /* floats of a plane of the ring */
  gsize row_size;     /* floats of a row of the ring: planes of each product, or of the source */
  gsize source_pitch; /* floats of a plane of a row that is decoded */
  gsize result_pitch; /* floats of a plane of sums */
  int n_taps;
  ConvolveCpuFft fft; /* if it transforms */

  float *ring;                 /* row y is in slot y mod base.ring_rows */
  float *border;               /* a row of the border value, as in the ring */
  float *sums;                 /* planes of a row: one row per thread, or all rows of a chunk */
  int sums_y;                  /* the row of the image that the sums of a chunk start with */
  ConvolveCpuTap *taps;        /* of the result */
  float *weights[2];           /* the taps' weights for colour and for alpha */
  ConvolveCpuScratch *scratch; /* one per thread */
} ConvolveCpuRun;

/* cpu-taps.c. */

/* Returns the number of taps; 0 if there are no sums over them. */
int convolve_cpu_count_taps (const ConvolvePlan *plan);

/* Fills the taps and their weights. */
void convolve_cpu_run_init_taps (ConvolveCpuRun *run);

/* Returns row y of the ring. A row outside of the image follows the abyss policy. */
const float *convolve_cpu_run_get_row (const ConvolveCpuRun *run, gint64 y);

/* Computes the sums of row y of the result, by planes. */
void convolve_cpu_run_sum_row (const ConvolveCpuRun *run, ConvolveCpuScratch *scratch, int y,
                               float *sums);

/* cpu-fft.c: the same by FFT, tile by tile (overlap-save). */

/* Prepares the tiles and the spectra of the weights. */
void convolve_cpu_run_init_fft (ConvolveCpuRun *run);

/* Computes the sums of rows y to y + rows - 1. Returns FALSE if the run has been cancelled. */
gboolean convolve_cpu_run_transform (ConvolveCpuRun *run, int y, int rows, GError **error);

/* cpu-source.c: compute the row of the border value and, as the run's decode, the rows of the
 * ring. */
void convolve_cpu_run_init_border (ConvolveCpuRun *run);
void convolve_cpu_run_decode (const FxCpuBlocks *base, const guint8 *source, int y, int thread);

/* cpu-result.c: implements the run's filter. A block is a row. */
void convolve_cpu_run_filter (const FxCpuBlocks *base, const FxRect *block, guint8 *result,
                              gsize stride, int thread);
