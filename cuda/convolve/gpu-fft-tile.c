#include "gpu-fft-tile.h"

#include "gpu-tile.h"

#include "kernels/fft-args.h" /* needs args.h before it */

/* Tiles for areas of any size are chosen for a picture of this size, and for the rows of it that a
 * run pulls at a time if it does not stay on the device. */
#define PICTURE_WIDTH  3840
#define PICTURE_HEIGHT 2160
#define BAND_HEIGHT    128

/* A tile for one size of area must save this share of the cost: its programs may have to be
 * compiled. */
#define WORTHWHILE 0.1

/* The lengths that are chosen, few enough that their programs stay in the cache, and the cost of a
 * sample, in taps, in tiles of as many rows; STAGE_COST is added if rows have a third stage.
 * Measured with RGBA in single precision. */
static const struct {
  int length;
  double cost;
} lengths[] = {
  { 256, 156 },  { 512, 177 },  { 1024, 215 }, { 1536, 260 }, { 2048, 250 },
  { 2560, 332 }, { 3072, 300 }, { 4096, 288 }, { 4608, 0 },   { 4864, 0 },
};
#define STAGE_COST 39.0

/* The longest lines in double precision, which need twice the registers. */
#define PRECISE_MAX 2048

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

/* Returns the samples that are transformed for one of an area. */
static double
get_share (const ConvolveGpuFftTile *tile, int width, int height)
{
  double tiles = (double) fx_ceil_div (width, tile->step_x) * fx_ceil_div (height, tile->step_y);

  return tiles * tile->columns * tile->rows / ((double) width * height);
}

/* Returns the cost of a sample of an area. */
static double
get_tile_cost (const ConvolveGpuFftTile *tile, int width, int height)
{
  double cost = tile->columns > 256 ? STAGE_COST : 0.0;
  gsize i;

  for (i = 0; i < G_N_ELEMENTS (lengths); i++)
    if (lengths[i].length == tile->rows)
      cost += lengths[i].cost;
  return get_share (tile, width, height) * cost;
}

typedef double (*TileCost) (const ConvolveGpuFftTile *tile, int width, int height);

static double
get_cost_anywhere (const ConvolveGpuFftTile *tile, int width, int height)
{
  return get_tile_cost (tile, width, height) + get_tile_cost (tile, width, BAND_HEIGHT);
}

/* Returns the cheapest tile for areas of width x height, of at most these lengths. */
static ConvolveGpuFftTile
find_tile (const ConvolveMatrix *matrix, int columns, int rows, TileCost get_cost, int width,
           int height)
{
  ConvolveGpuFftTile best = { 0 };
  double least = G_MAXDOUBLE;
  gsize i, j;

  for (i = 0; i < G_N_ELEMENTS (lengths) && lengths[i].length <= columns; i++)
    for (j = 0; j < G_N_ELEMENTS (lengths) && lengths[j].length <= rows; j++)
      {
        ConvolveGpuFftTile tile = make_tile (matrix, lengths[i].length, lengths[j].length);
        double cost;

        if (tile.step_x <= 0 || tile.step_y <= 0)
          continue;
        cost = get_cost (&tile, width, height);
        if (cost >= least)
          continue;
        least = cost;
        best = tile;
      }
  return best;
}

ConvolveGpuFftTile
convolve_gpu_fft_choose_tile (const ConvolvePlan *plan)
{
  if (plan->choice.columns > 0)
    return make_tile (&plan->matrix, plan->choice.columns, plan->choice.rows);
  return find_tile (&plan->matrix, FFT_ROW_MAX, FFT_COLUMN_MAX, get_cost_anywhere, PICTURE_WIDTH,
                    PICTURE_HEIGHT);
}

ConvolveGpuFftTile
convolve_gpu_fft_choose_tile_for (const ConvolvePlan *plan, int width, int height)
{
  const ConvolveGpuFftTile any = convolve_gpu_fft_choose_tile (plan);
  ConvolveGpuFftTile best;

  if (plan->choice.columns > 0 || ! convolve_matrix_is_large (&plan->matrix))
    return any;
  best = find_tile (&plan->matrix, FFT_ROW_MAX, FFT_COLUMN_MAX, get_tile_cost, width, height);
  return get_tile_cost (&best, width, height) <
             (1.0 - WORTHWHILE) * get_tile_cost (&any, width, height)
           ? best
           : any;
}

ConvolveGpuFftTile
convolve_gpu_fft_choose_precise_tile (const ConvolvePlan *plan)
{
  const ConvolveChoice *choice = &plan->choice;
  ConvolveGpuFftTile tile;

  if (choice->columns > 0 && choice->columns <= PRECISE_MAX && choice->rows <= PRECISE_MAX)
    tile = make_tile (&plan->matrix, choice->columns, choice->rows);
  else
    tile = find_tile (&plan->matrix, PRECISE_MAX, PRECISE_MAX, get_tile_cost, PICTURE_WIDTH,
                      PICTURE_HEIGHT);
  tile.precise = TRUE;
  return tile;
}

int
convolve_gpu_fft_get_planes (const ConvolvePlan *plan)
{
  return (plan->base.codec.format.channels + 1) / 2;
}

gsize
convolve_gpu_fft_get_spectrum_bytes (const ConvolveGpuFftTile *tile)
{
  gsize size = tile->precise ? 2 * sizeof (double) : sizeof (ConvolveComplex);

  return size * tile->columns * tile->rows;
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

  return get_tile_cost (&tile, PICTURE_WIDTH, PICTURE_HEIGHT) * 2.0 *
         convolve_gpu_fft_get_planes (plan) / channels;
}
