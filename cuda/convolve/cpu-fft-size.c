/* The size of the tiles, which decides what they cost. */
#include "cpu-fft.h"

#include <math.h>

/* Nanoseconds of a point of a tile, with the transforms there and back, and how many more it takes
 * each time that the tile doubles beyond what a core's cache holds. Measured. */
#define POINT_COST   1.9
#define SPILL_COST   1.0
#define CACHE_POINTS 65536

/* How many times as long double precision takes. */
#define PRECISE_TIMES 2.0

/* Nanoseconds of a sample outside of its tile. Measured. */
#define LOOK_COST 0.5

/* The picture whose cost is estimated, and the most rows that a chunk may need. */
#define USUAL_WIDTH 4096
#define USUAL_ROWS  128
#define MOST_ROWS   1024

/* The work that tiles are chosen for: a chunk of an image, and the threads that share it. All their
 * tiles together may take that many bytes of memory; 0: any number. */
typedef struct {
  const ConvolvePlan *plan;
  int width, rows;
  int threads;
  gsize memory;
} Work;

/* Returns the least length of lines, of at least so many points, that can be transformed: a power
 * of two or three times one. */
static int
get_length (int least)
{
  int length = CONVOLVE_FFT_LINES;

  while (length < least)
    {
      if (length > CONVOLVE_FFT_LINES && length / 2 * 3 >= least)
        return length / 2 * 3;
      length *= 2;
    }
  return length;
}

static gsize
get_point_bytes (const ConvolvePlan *plan)
{
  gboolean precise = convolve_fft_is_precise (plan) || convolve_fft_recomputes (plan);

  return precise ? convolve_fft_precise.point : convolve_fft_single.point;
}

static double
get_points (const ConvolveFftSize *size)
{
  return (double) size->columns * size->rows;
}

static double
get_bytes (const Work *work, const ConvolveFftSize *size)
{
  return get_points (size) / CONVOLVE_FFT_LINES * (double) get_point_bytes (work->plan);
}

/* Returns how many pairs of parts a chunk has. */
static gsize
count_pairs (const Work *work, const ConvolveFftSize *size)
{
  const FxFormat *format = &work->plan->base.codec.format;
  gsize alphas = fx_format_has_alpha (format) ? 1 : 0, colors = format->channels - alphas;
  gsize across = fx_ceil_div (work->width, size->step_x);

  return (fx_ceil_div (colors * across, CONVOLVE_FFT_LAYERS) +
          fx_ceil_div (alphas * across, CONVOLVE_FFT_LAYERS)) *
         fx_ceil_div (work->rows, size->step_y);
}

/* Returns the nanoseconds for a tile in single precision. */
static double
get_tile_cost (const ConvolveFftSize *size)
{
  double spill = MAX (log2 (get_points (size) / CACHE_POINTS), 0.0);

  return get_points (size) * (POINT_COST + SPILL_COST * spill);
}

/* Returns the nanoseconds for a chunk in single precision. If all threads together would exceed the
 * memory, there are fewer. */
static double
get_chunk_cost (const Work *work, const ConvolveFftSize *size)
{
  double threads = work->threads;

  if (work->memory > 0)
    threads = CLAMP (floor ((double) work->memory / get_bytes (work, size)), 1.0, threads);
  return ceil ((double) count_pairs (work, size) / threads) * get_tile_cost (size);
}

/* Sets what a tile of these points gives. */
static ConvolveFftSize
make_size (const Work *work, int columns, int rows)
{
  const ConvolveMatrix *matrix = &work->plan->matrix;

  return (ConvolveFftSize) {
    .columns = columns,
    .rows = rows,
    .step_x = (columns - matrix->columns + 1) / CONVOLVE_FFT_LINES * CONVOLVE_FFT_LINES,
    .step_y = MIN (rows - matrix->rows + 1, work->rows),
  };
}

/* Replaces best by size if that costs less and does not exceed the memory. */
static void
take_better (const Work *work, const ConvolveFftSize *size, ConvolveFftSize *best)
{
  gboolean fits = work->memory == 0 || get_bytes (work, size) <= (double) work->memory;

  if (best->rows == 0 || (fits && get_chunk_cost (work, size) < get_chunk_cost (work, best)))
    *best = *size;
}

/* Returns the size of the tiles that convolve a chunk at the least cost. They give a quarter as
 * many rows as the matrix has, or more, even if smaller ones would save memory. */
static ConvolveFftSize
choose_size (const Work *work)
{
  const ConvolveMatrix *matrix = &work->plan->matrix;
  int reach = matrix->rows - 1, least = MAX (USUAL_ROWS, reach / 4);
  int rows = get_length (reach + MIN (work->rows, least));
  ConvolveFftSize best = { 0 }, size;

  do
    {
      int columns = get_length (matrix->columns - 1 + FX_COLUMN);

      do
        {
          size = make_size (work, columns, rows);
          take_better (work, &size, &best);
          columns = get_length (columns + 1);
        }
      while (size.step_x < work->width);
      rows = get_length (rows + 1);
    }
  while (size.step_y < work->rows);
  return best;
}

/* Returns the tiles for a picture of a usual width. */
static ConvolveFftSize
choose_usual_size (const ConvolvePlan *plan, int rows)
{
  const Work work = { plan, USUAL_WIDTH, rows, 1, 0 };

  return choose_size (&work);
}

int
convolve_fft_get_chunk_rows (const ConvolvePlan *plan)
{
  int rows = USUAL_ROWS, most;

  if (! convolve_matrix_is_large (&plan->matrix))
    return rows;
  for (most = choose_usual_size (plan, MOST_ROWS).step_y; 2 * rows <= most;)
    rows *= 2;
  return rows;
}

/* A tile has two layers. */
int
convolve_fft_get_most_sums (const ConvolvePlan *plan, const ConvolveFftSize *size)
{
  double tile = PRECISE_TIMES * get_tile_cost (size) / CONVOLVE_FFT_LAYERS;

  if (convolve_matrix_is_large (&plan->matrix))
    return 0;
  return (int) MIN (tile / (FX_COLUMN * CONVOLVE_TAP_COST * plan->matrix.taps), G_MAXINT);
}

double
convolve_fft_get_cost (const ConvolvePlan *plan)
{
  int rows = convolve_fft_get_chunk_rows (plan);
  ConvolveFftSize size = choose_usual_size (plan, rows);
  const Work work = { plan, USUAL_WIDTH, rows, 1, 0 };
  double samples = (double) USUAL_WIDTH * rows * plan->base.codec.format.channels;
  double times = convolve_fft_is_precise (plan) ? PRECISE_TIMES : 1.0;

  return LOOK_COST + times * get_chunk_cost (&work, &size) / samples;
}

/* Memory. */

static int
get_rows (const FxStrip *strip)
{
  return MIN (strip->chunk_rows, strip->y1 - strip->y0);
}

/* Returns the bytes that each thread needs. */
static gsize
get_scratch_bytes (const ConvolvePlan *plan, const ConvolveFftSize *size)
{
  gsize points = convolve_fft_tile_count_points (size->columns, size->rows);
  gsize bytes = (points + size->rows) * get_point_bytes (plan) +
                CONVOLVE_FFT_LAYERS * size->rows * sizeof (float *) + size->columns * sizeof (int);

  if (convolve_fft_finds_infinities (plan))
    bytes += convolve_fft_infinities_get_bytes (size, size->step_y);
  return bytes;
}

ConvolveFftNeeds
convolve_fft_get_needs (const ConvolvePlan *plan, const FxStrip *strip, int threads, gsize memory)
{
  const Work work = { plan, strip->x1 - strip->x0, get_rows (strip), threads, memory };
  ConvolveFftNeeds needs = { choose_size (&work), threads };
  double own = (double) get_scratch_bytes (plan, &needs.size);

  if (memory > 0)
    needs.threads = (int) CLAMP ((double) memory / own, 1.0, threads);
  return needs;
}

gsize
convolve_fft_get_bytes (const ConvolvePlan *plan, const FxStrip *strip,
                        const ConvolveFftNeeds *needs)
{
  const ConvolveFftSize *size = &needs->size;
  gsize points = convolve_fft_tile_count_points (size->columns, size->rows);
  gsize n = plan->weights ? 2 : 1;
  gsize spectra = (plan->matrix.rows + 1) * (gsize) size->columns * sizeof (float);
  gsize result = get_rows (strip) * plan->base.codec.format.channels *
                 fx_rows_get_pitch (strip->x1 - strip->x0);

  if (! convolve_fft_is_precise (plan))
    spectra += n * points * convolve_fft_single.point;
  if (convolve_fft_is_precise (plan) || convolve_fft_recomputes (plan))
    spectra += n * points * convolve_fft_precise.point;
  if (convolve_fft_finds_infinities (plan))
    spectra += CONVOLVE_FFT_SIGNS * points * convolve_fft_precise.point +
               (gsize) plan->matrix.rows * plan->matrix.columns * sizeof (float);
  return needs->threads * get_scratch_bytes (plan, size) + spectra + result * sizeof (float);
}
