/* How each device computes a convolution: decided once, with the plan, by what the ways cost and by
 * how exact they are. The paths do what it says. Pure arithmetic. */
#pragma once

#include "strip.h"

typedef struct ConvolvePlan ConvolvePlan; /* convolve-plan.h */

typedef enum {
  CONVOLVE_PATH_CHEAPEST, /* a choice only, which no strategy is */
  CONVOLVE_PATH_TAPS,     /* a sum over the values that are not 0 */
  CONVOLVE_PATH_FFT,      /* that sum by Fourier transforms; as a choice, if it is exact enough */
  CONVOLVE_PATH_PRODUCTS, /* a sum of products of a column and a row */
} ConvolvePath;

/* A tile of the CPU, which gives the next step_x columns and step_y rows of the result. */
typedef struct {
  int columns, rows; /* in points */
  int step_x;        /* a multiple of CONVOLVE_FFT_LINES */
  int step_y;
  int threads; /* each with a tile */
  double cost; /* nanoseconds of a chunk */
} ConvolveFftSize;

/* A tile of the GPU: what is transformed, and how much of the result that gives. */
typedef struct {
  int columns, rows;
  int step_x, step_y;
  gboolean precise; /* in double precision */
} ConvolveGpuFftTile;

typedef struct {
  ConvolvePath path;
  int products;              /* that are computed; 0 on other paths */
  int chunk_rows;            /* with fewer, tiles give less of a result; 0: any number */
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

/* Choices of tests and measurements. */
typedef struct {
  ConvolvePath path; /* of a GPU, if it is not products */
  int columns, rows; /* of a tile that is transformed, no less than the matrix; 0: the cheapest */
  gsize scratch;     /* bytes of the tiles of one launch; 0: the default */
} ConvolveChoice;

/* Decides plan's strategy, and whether no GPU can run it. Nobody else may have the plan yet. */
void convolve_plan_choose (ConvolvePlan *plan, const ConvolveChoice *choice);

/* Traces which path a run takes, and the strategy. */
void convolve_trace_path (const ConvolvePlan *plan, const char *path);

/* cpu-cost.c */

/* Decides the CPU's part of the strategy. */
void convolve_strategy_decide_cpu (ConvolvePlan *plan);

/* Implements FxFilter's get_cpu_cost. */
double convolve_get_cpu_cost (const FxPlan *plan);

/* Returns the tile that convolves a chunk of width x rows pixels at the least cost on the CPU, and
 * at most threads threads. If memory is not 0, their tiles together take at most so many bytes, or
 * there is one. */
ConvolveFftSize convolve_strategy_choose_size (const ConvolvePlan *plan, int width, int rows,
                                               int threads, gsize memory);

/* Returns how many pairs of tiles convolve all channels of across tiles side by side. Alpha and
 * colour are not convolved together: their magnitudes may differ, and a transform's error is
 * relative to the larger one. */
int convolve_strategy_count_pairs (const FxFormat *format, int across);

/* gpu-cost.c */

/* Decides the GPU's part of the strategy, and whether no GPU can run the plan. */
void convolve_strategy_decide_gpu (ConvolvePlan *plan);

/* Returns the GPU's tile for the areas of a strip, the chunks of its result: if the matrix is large
 * and another tile is a tenth cheaper than that for any size, the cheapest one. Its steps are right
 * for this strip alone. */
ConvolveGpuFftTile convolve_strategy_choose_tile (const ConvolvePlan *plan, const FxStrip *strip);
