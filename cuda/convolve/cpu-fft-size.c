/* The size of the tiles, which decides what they cost. */
#include "cpu-fft.h"

#include <math.h>

/* Nanoseconds of a point of a tile, with the transforms there and back, and how many more it takes
 * each time that the tile doubles beyond what a core's cache holds. Measured. */
#define POINT_COST   1.9
#define SPILL_COST   1.0
#define CACHE_POINTS 65536

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

ConvolveFftSize
convolve_fft_choose_size (const ConvolveMatrix *matrix, int width, int rows)
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
      if (get_row_cost (&size, width) < get_row_cost (&best, width))
        best = size;
    }
  return best;
}

double
convolve_fft_get_cost (const ConvolveMatrix *matrix)
{
  ConvolveFftSize size = convolve_fft_choose_size (matrix, USUAL_WIDTH, USUAL_ROWS);
  double samples = (double) CONVOLVE_FFT_LAYERS * USUAL_WIDTH * USUAL_ROWS;

  return LOOK_COST + get_row_cost (&size, USUAL_WIDTH) / samples;
}

gsize
convolve_fft_get_bytes (const ConvolvePlan *plan, const FxStrip *strip, int threads)
{
  const ConvolveMatrix *matrix = &plan->matrix;
  int width = strip->x1 - strip->x0, rows = MIN (strip->chunk_rows, strip->y1 - strip->y0);
  ConvolveFftSize size = convolve_fft_choose_size (matrix, width, rows);
  gsize points = convolve_fft_tile_count_points (size.columns, size.rows);
  gsize scratch = (points + size.rows) * sizeof (ConvolveFftPoint) +
                  CONVOLVE_FFT_LAYERS * size.rows * sizeof (float *) + size.columns * sizeof (int);
  gsize spectra = (plan->weights ? 2 : 1) * points * sizeof (ConvolveFftPoint) +
                  (matrix->rows + 1) * (gsize) size.columns * sizeof (float);
  gsize result = rows * plan->base.codec.format.channels * fx_rows_get_pitch (width);

  return threads * scratch + spectra + result * sizeof (float);
}
