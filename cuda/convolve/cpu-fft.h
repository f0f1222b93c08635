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

/* A thread's scratch space. */
typedef struct {
  float *memory; /* of the points */
  ConvolveFftPoint *points, *column;
  const float **source[CONVOLVE_FFT_LAYERS]; /* rows */
} ConvolveFftScratch;

/* The spectra: of the weights for colour and for alpha, which may be the same; and of their signs,
 * which the first infinity needs. */
enum {
  CONVOLVE_FFT_COLOR,
  CONVOLVE_FFT_ALPHA,
  CONVOLVE_FFT_SIGNS,
  CONVOLVE_FFT_SPECTRA = CONVOLVE_FFT_SIGNS + 2
};

struct ConvolveCpuFft {
  ConvolveFftSize size;
  ConvolveFftTile tile;
  float *memory; /* of the spectra */
  ConvolveFftPoint *spectra[CONVOLVE_FFT_SPECTRA];
  gboolean signs_ready; /* those of the signs are computed */
  GMutex lock;          /* of these */
  float *lines;         /* scratch space for a spectrum */

  int across, n_pairs; /* of a band of tiles: for a channel, and for all of them */
  float *result;       /* the sums of a chunk's rows, by planes of a result's pitch */
  gsize plane, row;    /* floats of these */
  ConvolveFftScratch *scratch;
  int threads;
};

/* Returns NULL if memory runs out. */
ConvolveCpuFft *convolve_fft_new (const ConvolveCpuRun *run, const ConvolveFftNeeds *needs);
void convolve_fft_free (ConvolveCpuFft *fft); /* NULL is legal */

/* Returns how many spectra a run may need. Integers have no infinities. */
static inline gsize
convolve_fft_count_spectra (const ConvolvePlan *plan)
{
  return (plan->alpha_matrix ? 2 : 1) + (plan->base.codec.format.sample >= FX_SAMPLE_HALF ? 2 : 0);
}

/* Computes the spectra of the signs, unless they are ready. May be called from any thread. */
void convolve_fft_need_signs (ConvolveCpuFft *fft, const ConvolvePlan *plan,
                              ConvolveFftScratch *scratch);

/* cpu-fft-sum.c. */

/* Computes the sums of rows y to y + rows - 1. Returns FALSE if the run is not wanted any more. */
gboolean convolve_fft_sum (const ConvolveCpuRun *run, int y, int rows, GError **error);

G_END_DECLS

#endif
