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
  { 256, 156 },  { 512, 177 },  { 1024, 215 }, { 1536, 260 }, { 2048, 250 }, { 2560, 332 },
  { 2816, 322 }, { 3072, 300 }, { 4096, 288 }, { 4352, 0 },   { 4608, 0 },   { 4864, 0 },
};
#define STAGE_COST 39.0

/* The longest lines in double precision, which need twice the registers. */
#define PRECISE_MAX 2048

/* An area, and the part of a tile's columns and rows that are not results if it holds the whole
 * area along that axis. */
typedef struct {
  int width, height;
  int margin_x, margin_y;
} Area;

/* An area anywhere: a tile has what the matrix reaches on each side. */
static Area
make_area (const ConvolveMatrix *matrix, int width, int height)
{
  return (Area) { width, height, matrix->columns - 1, matrix->rows - 1 };
}

/* Returns the margin along an axis of a tile that holds all of an image's pixels: as much as the
 * matrix reaches to the farther side, in a tile that is no smaller than the matrix. */
static int
get_shared_margin (int size, int pixels, int before, int after)
{
  int margin = MAX (MAX (before, after), size - pixels);

  return MIN (margin, size - 1);
}

/* If all pixels beyond the image are the same, a tile that holds all of the image along an axis
 * needs them on one side only: a transform is periodic, so that the other side finds them there. */
static Area
make_area_of_strip (const ConvolvePlan *plan, const FxStrip *strip)
{
  const ConvolveMatrix *matrix = &plan->matrix;
  const FxReach *reach = &plan->base.reach;
  int width = strip->x1 - strip->x0, height = MIN (strip->chunk_rows, strip->y1 - strip->y0);
  Area area = make_area (matrix, width, height);

  if (plan->base.abyss == FX_ABYSS_CLAMP)
    return area;
  if (width == strip->width)
    area.margin_x = get_shared_margin (matrix->columns, width, reach->left, reach->right);
  if (height == strip->height)
    area.margin_y = get_shared_margin (matrix->rows, height, reach->above, reach->below);
  return area;
}

/* Returns how many results of an area a tile of length gives along an axis. */
static int
get_step (int length, int size, int width, int margin)
{
  return length - margin >= width ? length - margin : length - size + 1;
}

static ConvolveGpuFftTile
make_tile (const ConvolveMatrix *matrix, int columns, int rows, const Area *area)
{
  return (ConvolveGpuFftTile) {
    .columns = columns,
    .rows = rows,
    .step_x = get_step (columns, matrix->columns, area->width, area->margin_x),
    .step_y = get_step (rows, matrix->rows, area->height, area->margin_y),
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

/* Returns the cheapest tile for an area, of at most these lengths. */
static ConvolveGpuFftTile
find_tile (const ConvolveMatrix *matrix, int columns, int rows, TileCost get_cost, const Area *area)
{
  ConvolveGpuFftTile best = { 0 };
  double least = G_MAXDOUBLE;
  gsize i, j;

  for (i = 0; i < G_N_ELEMENTS (lengths) && lengths[i].length <= columns; i++)
    for (j = 0; j < G_N_ELEMENTS (lengths) && lengths[j].length <= rows; j++)
      {
        ConvolveGpuFftTile tile = make_tile (matrix, lengths[i].length, lengths[j].length, area);
        double cost;

        if (tile.step_x <= 0 || tile.step_y <= 0)
          continue;
        cost = get_cost (&tile, area->width, area->height);
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
  const Area area = make_area (&plan->matrix, PICTURE_WIDTH, PICTURE_HEIGHT);

  if (plan->choice.columns > 0)
    return make_tile (&plan->matrix, plan->choice.columns, plan->choice.rows, &area);
  return find_tile (&plan->matrix, FFT_ROW_MAX, FFT_COLUMN_MAX, get_cost_anywhere, &area);
}

ConvolveGpuFftTile
convolve_gpu_fft_choose_tile_for (const ConvolvePlan *plan, const FxStrip *strip)
{
  const ConvolveMatrix *matrix = &plan->matrix;
  const Area area = make_area_of_strip (plan, strip);
  ConvolveGpuFftTile any = convolve_gpu_fft_choose_tile (plan), best;

  any = make_tile (matrix, any.columns, any.rows, &area);
  if (plan->choice.columns > 0 || ! convolve_matrix_is_large (matrix))
    return any;
  best = find_tile (matrix, FFT_ROW_MAX, FFT_COLUMN_MAX, get_tile_cost, &area);
  return get_tile_cost (&best, area.width, area.height) <
             (1.0 - WORTHWHILE) * get_tile_cost (&any, area.width, area.height)
           ? best
           : any;
}

ConvolveGpuFftTile
convolve_gpu_fft_choose_precise_tile (const ConvolvePlan *plan)
{
  const Area area = make_area (&plan->matrix, PICTURE_WIDTH, PICTURE_HEIGHT);
  const ConvolveChoice *choice = &plan->choice;
  ConvolveGpuFftTile tile;

  if (choice->columns > 0 && choice->columns <= PRECISE_MAX && choice->rows <= PRECISE_MAX)
    tile = make_tile (&plan->matrix, choice->columns, choice->rows, &area);
  else
    tile = find_tile (&plan->matrix, PRECISE_MAX, PRECISE_MAX, get_tile_cost, &area);
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
