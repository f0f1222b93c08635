/* The columns are transformed first, CONVOLVE_FFT_LINES at a time, in the order of memory. They are
 * stored transposed, so that the rows are transformed in the same way. Each group of lines fits
 * into the cache. */
#include "cpu-fft-tile.h"

#include "vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define LINES  CONVOLVE_FFT_LINES
#define STRIDE (sizeof (ConvolveFftPoint) / sizeof (double)) /* between points of a line */

gsize
convolve_fft_tile_count_points (int columns, int rows)
{
  return (gsize) columns * rows / LINES;
}

/* Returns whether a sample meets the condition of samples. */
static FX_INLINE gboolean
is_one (float sample, ConvolveFftSamples samples)
{
  gboolean finite = fabsf (sample) <= FLT_MAX;

  switch (samples)
    {
    case CONVOLVE_FFT_POSITIVE:
      return ! finite && ! (sample < 0.0f);
    case CONVOLVE_FFT_NEGATIVE:
      return ! finite && ! (sample > 0.0f);
    case CONVOLVE_FFT_ABOVE:
      return sample > 0.0f;
    default:
      return sample < 0.0f;
    }
}

static FX_INLINE void
load_line (const float *restrict source, int n, ConvolveFftSamples samples, double *restrict part)
{
  if (samples == CONVOLVE_FFT_FINITE)
    for (int i = 0; i < n; i++)
      part[i] = fabsf (source[i]) <= FLT_MAX ? source[i] : 0.0f;
  else
    for (int i = 0; i < n; i++)
      part[i] = is_one (source[i], samples);
}

/* Copies LINES columns from x on to the real or the imaginary part of a column of zeros. */
FX_VECTORISED static void
load_layer (const ConvolveFftLayer *layer, int rows, int x, double *part)
{
  int count = layer->source ? CLAMP (layer->columns - x, 0, LINES) : 0, y;

  for (y = 0; y < rows && count > 0; y++, part += STRIDE)
    load_line (layer->source[y] + x, count, layer->samples, part);
}

static void
transform_columns (const ConvolveFftTile *tile, const ConvolveFftPair *pair,
                   ConvolveFftPoint *points, ConvolveFftPoint *column)
{
  for (int x = 0; x < tile->columns; x += LINES)
    {
      memset (column, 0, tile->rows * sizeof *column);
      load_layer (&pair->layers[0], pair->rows, x, column->re);
      load_layer (&pair->layers[1], pair->rows, x, column->im);
      convolve_fft_transform (column, tile->rows, tile->along_y);
      for (int y = 0; y < tile->rows; y += LINES)
        convolve_fft_transpose (column + y, points + y / LINES * tile->columns + x);
    }
}

static void
convolve_rows (const ConvolveFftTile *tile, const ConvolveFftPoint *spectrum,
               ConvolveFftPoint *points)
{
  gsize n = convolve_fft_tile_count_points (tile->columns, tile->rows), first;

  for (first = 0; first < n; first += tile->columns)
    {
      convolve_fft_transform (points + first, tile->columns, tile->along_x);
      convolve_fft_multiply (points + first, spectrum + first, tile->columns);
      convolve_fft_invert (points + first, tile->columns, tile->along_x);
    }
}

static FX_INLINE void
store_line (const double *restrict part, int n, float noise, float reached, float *restrict result)
{
  if (reached == 0.0f)
    for (int i = 0; i < n; i++)
      {
        float sum = (float) part[i];

        result[i] = fabsf (sum) < noise ? 0.0f : sum;
      }
  else
    for (int i = 0; i < n; i++)
      result[i] = part[i] > 0.5 ? reached : result[i];
}

FX_VECTORISED static void
store_layer (const ConvolveFftPair *pair, const ConvolveFftLayer *layer, int x, const double *part)
{
  int count = layer->source ? CLAMP (layer->result_columns - x, 0, LINES) : 0, y;

  for (y = 0; y < pair->result_rows && count > 0; y++, part += STRIDE)
    store_line (part, count, pair->noise, layer->reached, layer->result + y * pair->stride + x);
}

static void
invert_columns (const ConvolveFftTile *tile, const ConvolveFftPair *pair,
                const ConvolveFftPoint *points, ConvolveFftPoint *column)
{
  const ConvolveFftLayer *layers = pair->layers;
  int end = MAX (layers[0].result_columns, layers[1].result_columns), x, y;

  for (x = 0; x < end; x += LINES)
    {
      for (y = 0; y < tile->rows; y += LINES)
        convolve_fft_transpose (points + y / LINES * tile->columns + x, column + y);
      convolve_fft_invert (column, tile->rows, tile->along_y);
      store_layer (pair, &layers[0], x, column->re);
      store_layer (pair, &layers[1], x, column->im);
    }
}

/* A correlation is a convolution with the mirrored matrix: weight j, i lies at -j, -i, modulo the
 * size of the tile. The spectrum is divided by the number of points, by which a forward and an
 * inverse transform scale. */
void
convolve_fft_tile_get_spectrum (const ConvolveFftTile *tile, const ConvolveMatrix *matrix,
                                ConvolveFftSamples samples, ConvolveFftPoint *spectrum,
                                ConvolveFftPoint *points, ConvolveFftPoint *scratch)
{
  double scale = 1.0 / ((double) tile->columns * tile->rows);
  g_autofree const float **source = g_new (const float *, tile->rows);
  const ConvolveFftPair pair = { { { source, tile->columns, samples } }, .rows = tile->rows };
  gsize n = convolve_fft_tile_count_points (tile->columns, tile->rows), first;
  float *lines = (float *) points; /* of the matrix, and one of zeros */

  memset (lines, 0, (gsize) (matrix->rows + 1) * tile->columns * sizeof *lines);
  for (int j = 0; j < tile->rows; j++)
    source[(tile->rows - j) % tile->rows] = lines + (gsize) MIN (j, matrix->rows) * tile->columns;
  for (int j = 0; j < matrix->rows; j++)
    for (int i = 0; i < matrix->columns; i++)
      lines[(gsize) j * tile->columns + (tile->columns - i) % tile->columns] =
        matrix->weights[j * matrix->columns + i];
  transform_columns (tile, &pair, spectrum, scratch);
  for (first = 0; first < n; first += tile->columns)
    convolve_fft_transform (spectrum + first, tile->columns, tile->along_x);
  for (first = 0; first < n; first++)
    for (int i = 0; i < LINES; i++)
      {
        spectrum[first].re[i] *= scale;
        spectrum[first].im[i] *= scale;
      }
}

void
convolve_fft_tile_convolve (const ConvolveFftTile *tile, const ConvolveFftPair *pair,
                            const ConvolveFftPoint *spectrum, ConvolveFftPoint *points,
                            ConvolveFftPoint *scratch)
{
  transform_columns (tile, pair, points, scratch);
  convolve_rows (tile, spectrum, points);
  invert_columns (tile, pair, points, scratch);
}
