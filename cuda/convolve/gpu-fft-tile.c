#include "gpu-fft-tile.h"

#include "gpu-tile.h"

#include "kernels/fft-args.h" /* needs args.h before it */

/* Tiles are chosen for a picture of this size, and for the rows of it that a run pulls at a time if
 * it does not stay on the device. */
#define PICTURE_WIDTH  3840
#define PICTURE_HEIGHT 2160
#define BAND_HEIGHT    128

/* The cost of a tile's sample, in taps, for each length of columns from FFT_LEAST on, and what is
 * added if rows have a third stage. Measured with RGBA in single precision: for a picture, the
 * tile that is chosen by these costs is within 8% of the fastest. */
static const double column_costs[] = { 156, 177, 200, 211 };
#define STAGE_COST 39.0

static ConvolveGpuFftTile
make_tile (const ConvolveMatrix *matrix, int columns, int rows)
{
  return (ConvolveGpuFftTile) {
    .columns = columns,
    .rows = rows,
    .step_x = columns - matrix->columns + 1,
    .step_y = rows - matrix->rows + 1,
  };
}

/* Returns the samples that are transformed for one of height rows of the picture. */
static double
get_share (const ConvolveGpuFftTile *tile, int height)
{
  double tiles = (double) fx_ceil_div (PICTURE_WIDTH, tile->step_x) *
                 fx_ceil_div (height, tile->step_y);

  return tiles * tile->columns * tile->rows / ((double) PICTURE_WIDTH * height);
}

/* Returns the cost of a sample of these rows. */
static double
get_tile_cost (const ConvolveGpuFftTile *tile, int height)
{
  int length = g_bit_storage (tile->rows) - g_bit_storage (FFT_LEAST);
  int stages = FFT_STAGES (g_bit_storage (tile->columns) - 1);

  return get_share (tile, height) * (column_costs[length] + STAGE_COST * (stages - 2));
}

ConvolveGpuFftTile
convolve_gpu_fft_choose_tile (const ConvolvePlan *plan)
{
  ConvolveGpuFftTile best = { 0 };
  double least = G_MAXDOUBLE;
  int columns, rows;

  if (plan->choice.columns > 0)
    return make_tile (&plan->matrix, plan->choice.columns, plan->choice.rows);
  for (columns = FFT_LEAST; columns <= FFT_ROW_MAX; columns *= 2)
    for (rows = FFT_LEAST; rows <= FFT_COLUMN_MAX; rows *= 2)
      {
        ConvolveGpuFftTile tile = make_tile (&plan->matrix, columns, rows);
        double cost;

        if (tile.step_x <= 0 || tile.step_y <= 0)
          continue;
        cost = get_tile_cost (&tile, PICTURE_HEIGHT) + get_tile_cost (&tile, BAND_HEIGHT);
        if (cost >= least)
          continue;
        least = cost;
        best = tile;
      }
  return best;
}

int
convolve_gpu_fft_get_planes (const ConvolvePlan *plan)
{
  return (plan->base.codec.format.channels + 1) / 2;
}

gsize
convolve_gpu_fft_get_spectrum_bytes (const ConvolveGpuFftTile *tile)
{
  return (gsize) tile->columns * tile->rows * sizeof (ConvolveComplex);
}

gsize
convolve_gpu_fft_get_tile_bytes (const ConvolvePlan *plan, const ConvolveGpuFftTile *tile)
{
  return convolve_gpu_fft_get_planes (plan) * convolve_gpu_fft_get_spectrum_bytes (tile);
}

double
convolve_gpu_fft_get_cost (const ConvolvePlan *plan)
{
  const ConvolveGpuFftTile tile = convolve_gpu_fft_choose_tile (plan);
  int channels = plan->base.codec.format.channels;

  return get_tile_cost (&tile, PICTURE_HEIGHT) * 2.0 * convolve_gpu_fft_get_planes (plan) /
         channels;
}
