/* The convolution on the CPU. Each row of the source is decoded into a ring of rows; each row of
 * the result is a weighted sum of pieces of them, one a tap. Where the matrix is a sum of few
 * products, the ring has, for each, the rows filtered along x, and the taps are those along y. */
#ifndef CONVOLVE_CPU_RUN_H
#define CONVOLVE_CPU_RUN_H

#include "cpu.h"
#include "team.h"
#include "ways.h"

G_BEGIN_DECLS

/* A piece of a row of the ring, and its weight in the result, by planes: colour's and alpha's. */
typedef struct {
  int y;  /* rows below that of the result */
  int at; /* floats from where the plane begins */
  float weight, alpha_weight;
} ConvolveCpuTap;

/* A thread's own room. */
typedef struct {
  float *line;        /* a row of the source by planes, then with what lies beyond it */
  float *result;      /* by planes */
  const float **rows; /* one a tap */
} ConvolveCpuScratch;

typedef struct {
  FxRun base;
  const ConvolvePlan *plan;
  int channels;
  int products;
  FxTeam *team;
  int threads;
  gsize pitch;    /* floats of a plane of the ring */
  gsize row_size; /* floats of a row of it: planes of each product, or of the source */
  float *ring;    /* row y at slot y mod ring_rows */
  int ring_rows;
  float *beyond;        /* one such row, of what lies beyond the edge */
  guint8 *stored;       /* a ring of the source as it is stored; NULL: all channels are written */
  ConvolveCpuTap *taps; /* of the result */
  int n_taps;
  float *weights[2];           /* theirs: colour's, alpha's */
  ConvolveCpuScratch *scratch; /* one a thread */
} ConvolveCpuRun;

/* cpu-sizes.c: in floats, but for what are bytes. */

/* Of the result's rows, and of the source's. */
int convolve_cpu_get_width (const FxStrip *strip);
int convolve_cpu_get_source_width (const FxStrip *strip);

/* Of a plane of the ring, and of a row of it. */
gsize convolve_cpu_get_pitch (const ConvolvePlan *plan, const FxStrip *strip);
gsize convolve_cpu_get_row_size (const ConvolvePlan *plan, const FxStrip *strip);

/* Of a thread's own room. */
gsize convolve_cpu_get_line_size (const ConvolvePlan *plan, const FxStrip *strip);
gsize convolve_cpu_get_result_size (const ConvolvePlan *plan, const FxStrip *strip);

gsize convolve_cpu_get_stored_bytes (const ConvolvePlan *plan, const FxStrip *strip);

/* As FxBackend has it. */
gsize convolve_cpu_get_bytes (gconstpointer device, const FxPlan *plan, const FxStrip *strip);

/* cpu-taps.c. */

/* How many there may be. */
int convolve_cpu_count_taps (const ConvolvePlan *plan);

void convolve_cpu_run_init_taps (ConvolveCpuRun *run);

/* cpu-source.c: makes the row of what lies beyond the edge, and, as FxBackend has it, those of the
 * ring. */
void convolve_cpu_run_init_beyond (ConvolveCpuRun *run);
gboolean convolve_cpu_run_push (FxRun *base, gconstpointer source, int y, int rows, GError **error);

/* cpu-result.c: as FxBackend has it. */
gboolean convolve_cpu_run_pull (FxRun *base, gpointer result, int y, int rows, GError **error);

G_END_DECLS

#endif
