/* The sums of a run by FFT, tile by tile (overlap-save). */
#ifndef CONVOLVE_CPU_FFT_H
#define CONVOLVE_CPU_FFT_H

#include "cpu-fft-tile.h"
#include "cpu-run.h"

G_BEGIN_DECLS

/* cpu-sizes.c. */

/* The needs of a run: a tile for each thread. */
typedef struct {
  ConvolveFftSize size;
  int threads;
} ConvolveFftNeeds;

/* Returns the size of the tiles that convolve a strip at the least cost, and at most threads
 * threads. Their tiles take at most memory bytes if that is possible; 0: no limit. */
ConvolveFftNeeds convolve_fft_get_needs (const ConvolvePlan *plan, const FxStrip *strip,
                                         int threads, gsize memory);

gsize convolve_fft_get_bytes (const ConvolvePlan *plan, const FxStrip *strip,
                              const ConvolveFftNeeds *needs);

/* cpu-fft.c. */

/* The place of a tile in a channel. */
typedef struct {
  int channel; /* -1: there is none */
  int x;       /* the tile's first column */
} ConvolveFftPart;

/* Samples of a tile, as its source: rows of as many floats as the tile has columns. */
typedef struct {
  float *samples;
  const float **rows;
} ConvolveFftPlane;

enum { CONVOLVE_FFT_ABOVE, CONVOLVE_FFT_BELOW, CONVOLVE_FFT_SIGNS };

/* A thread's scratch space for infinities: where they are in a tile, by their signs, and how many
 * of each meet values above and below 0; each of those is laid out as the tile's result. */
typedef struct {
  ConvolveFftPlane finite, infinite[CONVOLVE_FFT_SIGNS];
  float *met[CONVOLVE_FFT_SIGNS][CONVOLVE_FFT_SIGNS]; /* [of the value][of the infinity] */
} ConvolveFftInfinities;

/* A thread's scratch space. */
typedef struct {
  float *memory; /* of the points */
  ConvolveFftPoint *points, *column;
  ConvolveFftInfinities infinities;
  const float **source[CONVOLVE_FFT_LAYERS]; /* rows */
  int *empty;                                /* per column of a tile */
} ConvolveFftScratch;

struct ConvolveCpuFft {
  ConvolveFftSize size;
  ConvolveFftTile tile;
  float *memory;                /* of the spectra */
  ConvolveFftPoint *spectra[2]; /* for colour and for alpha, which may be the same */
  gboolean ready;               /* they are computed */

  /* The spectra of where the matrix is above and below 0, which the first infinity needs. */
  float *sign_memory, *sign_weights;
  ConvolveFftPoint *signs[CONVOLVE_FFT_SIGNS];
  GMutex lock;
  gboolean has_signs;

  float *lines; /* scratch space for a spectrum */

  ConvolveFftPart *parts; /* in pairs that are convolved together */
  int n_pairs;            /* of a band of tiles */
  float *result;          /* the rows of a chunk, by planes */
  gsize plane, row;       /* floats of these */
  ConvolveFftScratch *scratch;
  int threads;
};

/* Returns NULL if memory runs out. */
ConvolveCpuFft *convolve_fft_new (const ConvolveCpuRun *run, const ConvolveFftNeeds *needs);
void convolve_fft_free (ConvolveCpuFft *fft); /* NULL is legal */

/* Computes the spectra, unless they are ready. Uses the first thread's scratch space. */
void convolve_fft_make_ready (const ConvolveCpuRun *run);

/* cpu-fft-infinite.c. */

/* Returns whether there may be any. */
static inline gboolean
convolve_fft_finds_infinities (const ConvolvePlan *plan)
{
  return plan->base.codec.format.sample >= FX_SAMPLE_HALF;
}

/* The bytes that a thread needs for a tile of that size and rows rows of its result. */
gsize convolve_fft_infinities_get_bytes (const ConvolveFftSize *size, int rows);
gboolean convolve_fft_infinities_init (ConvolveFftInfinities *infinities,
                                       const ConvolveFftSize *size, int rows);
void convolve_fft_infinities_clear (ConvolveFftInfinities *infinities);

/* Convolves a layer that has infinities. */
void convolve_fft_sum_infinities (const ConvolveCpuRun *run, ConvolveFftScratch *scratch,
                                  const ConvolveFftPair *pair, const ConvolveFftLayer *layer,
                                  gboolean alpha);

/* cpu-fft-sum.c. */

/* Computes the sums of rows y to y + rows - 1. Returns FALSE if the run is not wanted any more. */
gboolean convolve_fft_sum (const ConvolveCpuRun *run, int y, int rows, GError **error);

/* Returns a row of those sums, by planes of a result's pitch. row counts from y. */
float *convolve_fft_get_row (const ConvolveCpuRun *run, int row);

G_END_DECLS

#endif
