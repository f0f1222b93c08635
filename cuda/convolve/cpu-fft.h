/* The sums of a run by FFT, tile by tile (overlap-save). */
#ifndef CONVOLVE_CPU_FFT_H
#define CONVOLVE_CPU_FFT_H

#include "cpu-fft-tile.h"
#include "cpu-run.h"

G_BEGIN_DECLS

/* cpu-fft-size.c. */

/* A tile that gives the next step columns of the result, and all rows of a chunk. */
typedef struct {
  int columns, rows; /* in points */
  int step;          /* a multiple of CONVOLVE_FFT_LINES */
} ConvolveFftSize;

/* Returns the size of the tiles that convolve width x rows pixels at the least cost. */
ConvolveFftSize convolve_fft_choose_size (const ConvolveMatrix *matrix, int width, int rows);

/* Returns the nanoseconds that a thread takes for each sample. */
double convolve_fft_get_cost (const ConvolveMatrix *matrix);

gsize convolve_fft_get_bytes (const ConvolvePlan *plan, const FxStrip *strip, int threads);

/* cpu-fft-error.c. */

/* Returns whether the error of a transform leaves the result within the contract. */
gboolean convolve_fft_is_exact (const ConvolvePlan *plan);

/* Returns the result of the alpha plane below which colour, which is divided by it, goes by the
 * taps; 0 if it is not divided. */
float convolve_fft_get_least_alpha (const ConvolvePlan *plan);

/* Returns the magnitude up to which a sample of a channel may enter a transform. */
float convolve_fft_get_limit (const ConvolvePlan *plan, int channel, const ConvolveFftSize *size);

/* cpu-fft.c. */

/* The place of a tile in a channel. */
typedef struct {
  int channel; /* -1: there is none */
  int x;
} ConvolveFftPart;

/* A thread's scratch space. */
typedef struct {
  float *memory; /* of the points */
  ConvolveFftPoint *points, *column;
  const float **source[CONVOLVE_FFT_LAYERS]; /* rows */
  int *empty;                                /* per column of a tile */
} ConvolveFftScratch;

struct ConvolveCpuFft {
  ConvolveFftSize size;
  ConvolveFftTile tile;
  float *memory;                /* of the spectra */
  ConvolveFftPoint *spectra[2]; /* for colour and for alpha, which may be the same */
  ConvolveFftPart *parts;       /* in pairs that are convolved together */
  int n_pairs;
  float *result;    /* the rows of a chunk, by planes */
  gsize plane, row; /* floats of these */
  ConvolveFftScratch *scratch;
  int threads;
};

/* Returns NULL if memory runs out. */
ConvolveCpuFft *convolve_fft_new (const ConvolveCpuRun *run);
void convolve_fft_free (ConvolveCpuFft *fft); /* NULL is legal */

/* cpu-fft-sum.c. */

/* Computes the sums of rows y to y + rows - 1. Returns FALSE if the run is not wanted any more. */
gboolean convolve_fft_sum (const ConvolveCpuRun *run, int y, int rows, GError **error);

/* Returns a row of those sums, by planes of a result's pitch. row counts from y. */
float *convolve_fft_get_row (const ConvolveCpuRun *run, int row);

G_END_DECLS

#endif
