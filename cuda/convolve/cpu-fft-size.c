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

/* The picture whose cost is estimated. */
#define USUAL_WIDTH 4096
#define USUAL_ROWS  128

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

static double
get_row_cost (const ConvolveFftSize *size, int width)
{
  double points = (double) size->columns * size->rows;
  double spill = MAX (log2 (points / CACHE_POINTS), 0.0);

  return ceil ((double) width / size->step) * points * (POINT_COST + SPILL_COST * spill);
}

/* Returns the size of the tiles that convolve width x rows pixels at the least cost, of at most
 * most points if that is possible. */
static ConvolveFftSize
choose_size (const ConvolveMatrix *matrix, int width, int rows, double most)
{
  int reach = matrix->columns - 1;
  ConvolveFftSize size = { .columns = get_length (reach + FX_COLUMN),
                           .rows = get_length (rows + matrix->rows - 1) };
  ConvolveFftSize best;

  size.step = (size.columns - reach) / CONVOLVE_FFT_LINES * CONVOLVE_FFT_LINES;
  for (best = size; size.step < width;)
    {
      size.columns = get_length (size.columns + 1);
      size.step = (size.columns - reach) / CONVOLVE_FFT_LINES * CONVOLVE_FFT_LINES;
      if ((double) size.columns * size.rows <= most &&
          get_row_cost (&size, width) < get_row_cost (&best, width))
        best = size;
    }
  return best;
}

double
convolve_fft_get_cost (const ConvolvePlan *plan)
{
  ConvolveFftSize size = choose_size (&plan->matrix, USUAL_WIDTH, USUAL_ROWS, G_MAXDOUBLE);
  double samples = (double) CONVOLVE_FFT_LAYERS * USUAL_WIDTH * USUAL_ROWS;
  double times = convolve_fft_is_precise (plan) ? PRECISE_TIMES : 1.0;

  return LOOK_COST + times * get_row_cost (&size, USUAL_WIDTH) / samples;
}

/* Memory. */

static gsize
get_point_bytes (const ConvolvePlan *plan)
{
  return convolve_fft_is_precise (plan) ? convolve_fft_precise.point : convolve_fft_single.point;
}

static int
get_rows (const FxStrip *strip)
{
  return MIN (strip->chunk_rows, strip->y1 - strip->y0);
}

/* Returns the bytes that each thread needs. */
static gsize
get_scratch_bytes (const ConvolvePlan *plan, const FxStrip *strip, const ConvolveFftSize *size)
{
  gsize points = convolve_fft_tile_count_points (size->columns, size->rows);
  gsize bytes = (points + size->rows) * get_point_bytes (plan) +
                CONVOLVE_FFT_LAYERS * size->rows * sizeof (float *) + size->columns * sizeof (int);

  if (convolve_fft_finds_infinities (plan))
    bytes += convolve_fft_infinities_get_bytes (size, get_rows (strip));
  return bytes;
}

ConvolveFftNeeds
convolve_fft_get_needs (const ConvolvePlan *plan, const FxStrip *strip, int threads, gsize memory)
{
  double each = (double) (memory > 0 ? memory : G_MAXSIZE) / threads;
  double most = each * CONVOLVE_FFT_LINES / (double) get_point_bytes (plan);
  ConvolveFftNeeds needs = {
    choose_size (&plan->matrix, strip->x1 - strip->x0, get_rows (strip), most), threads
  };
  double own = (double) get_scratch_bytes (plan, strip, &needs.size);

  if (own > each)
    needs.threads = (int) CLAMP (each * threads / own, 1.0, threads);
  return needs;
}

gsize
convolve_fft_get_bytes (const ConvolvePlan *plan, const FxStrip *strip,
                        const ConvolveFftNeeds *needs)
{
  const ConvolveFftSize *size = &needs->size;
  gsize points = convolve_fft_tile_count_points (size->columns, size->rows);
  int kinds = (plan->weights ? 2 : 1) +
              (convolve_fft_finds_infinities (plan) ? CONVOLVE_FFT_SIGNS : 0);
  gsize spectra = kinds * points * get_point_bytes (plan) +
                  (plan->matrix.rows + 1) * (gsize) size->columns * sizeof (float);
  gsize result = get_rows (strip) * plan->base.codec.format.channels *
                 fx_rows_get_pitch (strip->x1 - strip->x0);

  return needs->threads * get_scratch_bytes (plan, strip, size) + spectra + result * sizeof (float);
}
