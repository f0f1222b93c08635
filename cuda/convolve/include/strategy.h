/* The choice of a path: how each device computes a convolution, by the estimated cost of each path
 * and its accuracy. It is made with the plan, and the runs follow it. Pure arithmetic, without a
 * device or I/O. */
#pragma once

#include "strip.h"

typedef struct ConvolvePlan ConvolvePlan; /* convolve-plan.h */

typedef enum {
  CONVOLVE_PATH_CHEAPEST, /* only in a ConvolveChoice: no strategy has it */
  CONVOLVE_PATH_TAPS,     /* a sum over the values that are not 0 */
  CONVOLVE_PATH_FFT,      /* that sum by Fourier transforms; as a choice, only if accurate enough */
  CONVOLVE_PATH_PRODUCTS, /* a sum of products of a column and a row */
} ConvolvePath;

/* A tile on the CPU. Each yields step_x columns and step_y rows of the result. */
typedef struct {
  int columns, rows; /* in points */
  int step_x;        /* a multiple of CONVOLVE_FFT_LINES */
  int step_y;
  int threads; /* each transforms another tile */
  double cost; /* nanoseconds of a chunk */
} ConvolveFftSize;

/* A tile on the GPU: its size, and the columns and rows of the result that it yields. */
typedef struct {
  int columns, rows;
  int step_x, step_y;
  gboolean precise; /* in double precision */
} ConvolveGpuFftTile;

typedef struct {
  ConvolvePath path;
  int products;              /* that are computed; 0 on other paths */
  int chunk_rows;            /* the least for efficient tiles; 0: any number */
  double sum_cost, fft_cost; /* of the cheapest path without transforms, and of these, in
                                nanoseconds of a sample on one thread */
} ConvolveCpuStrategy;

typedef struct {
  ConvolvePath path;
  int products;               /* that are computed; 0 on other paths */
  gboolean specialises;       /* a sum's taps can be compiled in */
  ConvolveGpuFftTile tile;    /* for areas of any size */
  ConvolveGpuFftTile precise; /* that recomputes a large matrix's results */

  /* The division by alpha or the curve may magnify the errors of transforms too much, so that
   * results have to be recomputed: as sums, or if the matrix is large, in double precision. */
  gboolean recomputes;
  gboolean finds_peaks;      /* of the tiles: samples may be infinite, or results recomputed */
  double sum_cost, fft_cost; /* of sums over the taps and of transforms, in taps of a sample */
} ConvolveGpuStrategy;

typedef struct {
  gboolean large; /* the matrix: a GPU computes no sums over its taps, a CPU only if they are few */
  float least_alpha; /* the least sum of alpha that colour is divided by after a transform in double
                        precision; 0: any */
  ConvolveCpuStrategy cpu;
  ConvolveGpuStrategy gpu;
} ConvolveStrategy;

/* Choices that only tests and measurements make. */
typedef struct {
  ConvolvePath path; /* on a GPU; never products */
  int columns, rows; /* of a tile that is transformed, no less than the matrix; 0: the cheapest */
  gsize scratch;     /* bytes of the tiles of one launch; 0: the default */
} ConvolveChoice;

/* Chooses plan's strategy, and sets its paths, cost and cpu_only. The plan must not be shared yet.
 */
void convolve_plan_choose (ConvolvePlan *plan, const ConvolveChoice *choice);

/* Traces which path a run takes, and the strategy. */
void convolve_trace_path (const ConvolvePlan *plan, const char *path);

/* cpu-cost.c */

/* Chooses the CPU's part of the strategy, and sets the plan's cost. */
void convolve_strategy_decide_cpu (ConvolvePlan *plan);

/* Returns the cheapest tile on the CPU for a chunk of width x rows pixels, which at most threads
 * threads share. If memory is not 0, it limits the bytes of all their tiles, but one thread always
 * has a tile. */
ConvolveFftSize convolve_strategy_choose_size (const ConvolvePlan *plan, int width, int rows,
                                               int threads, gsize memory);

/* Returns how many pairs of tiles hold all channels of a row of across tiles. Alpha is not paired
 * with colour: the error of a transform is relative to the larger magnitude of the pair. */
int convolve_strategy_count_pairs (const FxFormat *format, int across);

/* gpu-cost.c */

/* Chooses the GPU's part of the strategy, and sets the plan's cpu_only. */
void convolve_strategy_decide_gpu (ConvolvePlan *plan);

/* Returns the GPU's tile for the areas of a strip, the chunks of its result. For a large matrix
 * that is the cheapest tile, if it costs at least a tenth less than the plan's tile for any area.
 * Its steps are valid for this strip only. */
ConvolveGpuFftTile convolve_strategy_choose_tile (const ConvolvePlan *plan, const FxStrip *strip);
