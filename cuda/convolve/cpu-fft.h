/* The sums of a run by FFT, tile by tile (overlap-save). */
#ifndef CONVOLVE_CPU_FFT_H
#define CONVOLVE_CPU_FFT_H

#include "cpu-fft-tile.h"
#include "cpu-run.h"

G_BEGIN_DECLS

/* cpu-fft-size.c. */

/* A tile that gives the next step_x columns and step_y rows of the result. */
typedef struct {
  int columns, rows; /* in points */
  int step_x;        /* a multiple of CONVOLVE_FFT_LINES */
  int step_y;
} ConvolveFftSize;

/* The needs of a run: a tile for each thread. */
typedef struct {
  ConvolveFftSize size;
  int threads;
} ConvolveFftNeeds;

/* Returns the size of the tiles that convolve a strip at the least cost, and at most threads
 * threads. Their tiles take at most memory bytes if that is possible; 0: no limit. */
ConvolveFftNeeds convolve_fft_get_needs (const ConvolvePlan *plan, const FxStrip *strip,
                                         int threads, gsize memory);

/* Returns the nanoseconds that a thread takes for each sample. */
double convolve_fft_get_cost (const ConvolvePlan *plan);

/* Returns how many rows a chunk should have at least, a power of two: with fewer, tiles give less
 * of a result. */
int convolve_fft_get_chunk_rows (const ConvolvePlan *plan);

/* Returns how many sums over the taps, of FX_COLUMN results each, take no longer than to transform
 * a layer of a tile in double precision. */
int convolve_fft_get_most_sums (const ConvolvePlan *plan, const ConvolveFftSize *size);

gsize convolve_fft_get_bytes (const ConvolvePlan *plan, const FxStrip *strip,
                              const ConvolveFftNeeds *needs);

/* cpu-fft-error.c. */

/* Returns whether all transforms are in double precision. They are for a large matrix if single
 * precision does not suffice: sums over its taps would take too long. */
gboolean convolve_fft_is_precise (const ConvolvePlan *plan);

/* Returns whether tiles for which single precision does not suffice are transformed once more, in
 * double precision. */
gboolean convolve_fft_recomputes (const ConvolvePlan *plan);

/* Returns whether the error of a transform leaves the result within the contract. */
gboolean convolve_fft_is_exact (const ConvolvePlan *plan);

/* Returns the result of the alpha plane below which single precision does not suffice for colour,
 * which is divided by it; 0 if it is not divided. */
float convolve_fft_get_least_alpha (const ConvolvePlan *plan);

/* The same below which the result of double precision is nothing but rounding errors. */
float convolve_fft_get_precise_least_alpha (const ConvolvePlan *plan);

/* Returns whether one of n results of the alpha plane is below the least. One of 0 has no colour,
 * and is not. */
gboolean convolve_fft_has_small (const float *alpha, int n, float least);

/* Returns whether infinities are found by transforms instead of sums over the taps. */
gboolean convolve_fft_finds_infinities (const ConvolvePlan *plan);

/* Returns the magnitude up to which a sample of a channel may enter a transform. */
float convolve_fft_get_limit (const ConvolvePlan *plan, int channel, const ConvolveFftSize *size,
                              gboolean precise);

/* cpu-fft.c. */

/* The place of a tile in a channel. */
typedef struct {
  int channel; /* -1: there is none */
  int x, n;    /* the tile's first column, and its number along x */
} ConvolveFftPart;

/* The transforms in one precision. */
typedef struct {
  const ConvolveFftKind *kind;
  ConvolveFftTile tile;
  float *memory;       /* of the spectra */
  gpointer spectra[2]; /* for colour and for alpha, which may be the same */
  gboolean ready;      /* the spectra are computed */
} ConvolveFftTransform;

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
  gpointer points, column;
  ConvolveFftInfinities infinities;
  const float **source[CONVOLVE_FFT_LAYERS]; /* rows */
  int *empty;                                /* per column of a tile */
} ConvolveFftScratch;

struct ConvolveCpuFft {
  ConvolveFftSize size;
  ConvolveFftTransform single, precise; /* without a kind: not used */

  /* The precise spectra of where the matrix is above and below 0, which the first infinity needs.
   */
  float *sign_memory, *sign_weights;
  gpointer signs[CONVOLVE_FFT_SIGNS];
  GMutex lock;
  gboolean has_signs;

  float *lines; /* scratch space for a spectrum */

  ConvolveFftPart *parts; /* in pairs that are convolved together */
  int n_pairs;            /* of a band of tiles */
  int n_columns;          /* tiles along x */
  gint *recompute;        /* for each tile of a chunk's channels: once more, precisely; atomic */
  int most_sums;          /* over the taps, that replace results of a tile instead */
  float *result;          /* the rows of a chunk, by planes */
  gsize plane, row;       /* floats of these */
  ConvolveFftScratch *scratch;
  int threads;
};

/* Returns NULL if memory runs out. */
ConvolveCpuFft *convolve_fft_new (const ConvolveCpuRun *run, const ConvolveFftNeeds *needs);
void convolve_fft_free (ConvolveCpuFft *fft); /* NULL is legal */

/* Computes the spectra, unless they are ready. Uses the first thread's scratch space. */
void convolve_fft_make_ready (const ConvolveCpuRun *run, ConvolveFftTransform *transform);

/* cpu-fft-infinite.c. */

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

/* Returns whether those of sums x to x + n - 1 of a row that have little alpha are of double
 * precision: always if the matrix is large. row counts from y. */
gboolean convolve_fft_has_precise (const ConvolveCpuRun *run, int row, int x, int n);

/* Returns a row of those sums, by planes of a result's pitch. row counts from y. */
float *convolve_fft_get_row (const ConvolveCpuRun *run, int row);

G_END_DECLS

#endif
