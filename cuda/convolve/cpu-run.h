/* The convolution on the CPU. Each row of the source is decoded into a ring of rows; each row of
 * the result is a weighted sum of pieces of them, one per tap. If the matrix is a sum of few
 * products, the ring holds, for each product, the rows filtered along x, and the taps are those
 * along y. If there are many taps, the sums are computed by FFT, for as many rows at once as are
 * pulled. */
#ifndef CONVOLVE_CPU_RUN_H
#define CONVOLVE_CPU_RUN_H

#include "convolve-plan.h"
#include "cpu-blocks.h"

G_BEGIN_DECLS

/* A piece of a row of the ring. */
typedef struct {
  int y;  /* rows below that of the result */
  int at; /* floats from the start of the plane */
} ConvolveCpuTap;

/* A thread's scratch space. */
typedef struct {
  float *line;   /* a row of the source by planes, then the same with the pixels beyond the edge */
  float *result; /* by planes */
  const float **rows; /* one per tap */
} ConvolveCpuScratch;

typedef struct ConvolveCpuFft ConvolveCpuFft; /* cpu-fft.h */

typedef struct {
  FxRun base;
  const ConvolvePlan *plan;
  int channels;
  int products;
  FxTeam *team;
  int threads;
  gsize pitch;    /* floats of a plane of the ring */
  gsize row_size; /* floats of a row of the ring: planes of each product, or of the source */
  float *ring;    /* row y is in slot y mod ring_rows */
  int ring_rows;
  float *beyond;        /* one such row with the pixels beyond the edge */
  guint8 *stored;       /* a ring of the source as it is stored; NULL: all channels are written */
  ConvolveCpuTap *taps; /* of the result */
  int n_taps;
  float *weights[2];           /* the taps' weights for colour and for alpha */
  ConvolveCpuFft *fft;         /* NULL: all sums are over the taps */
  ConvolveCpuScratch *scratch; /* one per thread */
} ConvolveCpuRun;

/* cpu-sizes.c. Sizes are in floats unless their names say bytes. */

/* Return the size of a plane of the ring, and of a row of it. */
gsize convolve_cpu_get_pitch (const ConvolvePlan *plan, const FxStrip *strip);
gsize convolve_cpu_get_row_size (const ConvolvePlan *plan, const FxStrip *strip);

/* Return the sizes of a thread's scratch space. */
gsize convolve_cpu_get_line_size (const ConvolvePlan *plan, const FxStrip *strip);
gsize convolve_cpu_get_result_size (const ConvolvePlan *plan, const FxStrip *strip);

/* Returns the bytes of the ring of stored source rows; 0 if all channels are written. */
gsize convolve_cpu_get_stored_bytes (const ConvolvePlan *plan, const FxStrip *strip);

/* Returns the bytes that the tiles of all threads may take; 0: any number. */
gsize convolve_cpu_get_memory (const FxCpu *cpu);

/* Implements FxBackend's get_bytes. */
gsize convolve_cpu_get_bytes (gconstpointer device, const FxPlan *plan, const FxStrip *strip);

/* cpu-taps.c. */

/* Estimates the number of taps; 0 if there are no sums over them. */
int convolve_cpu_count_taps (const ConvolvePlan *plan);

/* Allocates and fills the taps and their weights, if there are sums over them. Returns FALSE if
 * memory runs out. */
gboolean convolve_cpu_run_init_taps (ConvolveCpuRun *run);

/* Returns row y of the ring; beyond the edge, the row that the abyss policy gives. */
const float *convolve_cpu_run_get_row (const ConvolveCpuRun *run, gint64 y);

/* Computes the sums of row y of the result. */
void convolve_cpu_run_sum_row (const ConvolveCpuRun *run, ConvolveCpuScratch *scratch, int y);

/* cpu-source.c: compute the row of the pixels beyond the edge and, as FxBackend's push, the rows of
 * the ring. */
void convolve_cpu_run_init_beyond (ConvolveCpuRun *run);
gboolean convolve_cpu_run_push (FxRun *base, gconstpointer source, int y, int rows, GError **error);

/* cpu-result.c: implements FxBackend's pull. */
gboolean convolve_cpu_run_pull (FxRun *base, gpointer result, int y, int rows, GError **error);

G_END_DECLS

#endif
