/* Estimates the costs of the paths on the GPU, in taps of a sample, and chooses among them. */
#include "gpu-fft.h"

/* The fixed cost of a product, and the cost of each of its taps, whose samples go through shared
 * memory twice. Measured. */
#define GPU_PRODUCT_COST  16.0
#define GPU_PRODUCT_TIMES 1.5

/* The factor by which recomputed results raise the cost of transforms: measured with matrices of
 * 15x15 to 21x21 and a picture with nearly transparent parts. */
#define RECOMPUTE_TIMES 1.5

/* The range of the sum of magnitudes in which single precision represents the whole spectrum. */
#define MAGNITUDE_MIN 1e-20
#define MAGNITUDE_MAX 1e7 /* times FFT_PEAK_MAX */

/* The tile for any area is the cheapest one for a picture of this size, plus a band of it, the rows
 * that a run pulls at a time if the picture is not resident on the device. */
#define PICTURE_WIDTH  3840
#define PICTURE_HEIGHT 2160
#define BAND_HEIGHT    128

/* The least share of the cost that a tile for one size of area must save, because its programs may
 * have to be compiled. */
#define WORTHWHILE 0.1

/* The lengths to choose from, few enough for the cache of programs, and the cost of a sample in
 * tiles of that many rows; 0: no tile has more rows than FFT_COLUMN_MAX. STAGE_COST is added if the
 * rows have a third stage. Measured with RGBA in single precision. */
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

/* An area, and the columns and rows of a tile that are not valid results if the tile covers the
 * whole area along that axis. */
typedef struct {
  int width, height;
  int margin_x, margin_y;
} Area;

/* An area at any place: the margin is the extent of the matrix, on both sides. */
static Area
make_area (const ConvolveMatrix *matrix, int width, int height)
{
  return (Area) { width, height, matrix->columns - 1, matrix->rows - 1 };
}

/* Returns the margin along an axis of a tile that covers the image: the larger extent of the matrix
 * to one side, or more in an image smaller than the matrix. */
static int
get_shared_margin (int size, int pixels, int before, int after)
{
  int margin = MAX (MAX (before, after), size - pixels);

  return MIN (margin, size - 1);
}

/* If all border pixels are the same, a tile that covers the image along an axis needs them on one
 * side only: a transform is periodic, so both sides share them. */
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

/* Returns how many results of an area a tile of length yields along an axis. */
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

/* Returns the cost per sample of an area. */
static double
get_tile_cost (const ConvolveGpuFftTile *tile, int width, int height)
{
  int step_x = MAX (tile->step_x, 1), step_y = MAX (tile->step_y, 1); /* any matrix has a tile */
  double tiles = (double) fx_ceil_div (width, step_x) * fx_ceil_div (height, step_y);
  double transformed = tiles * tile->columns * tile->rows / ((double) width * height);
  double cost = tile->columns > 256 ? STAGE_COST : 0.0;
  gsize i;

  for (i = 0; i < G_N_ELEMENTS (lengths); i++)
    if (lengths[i].length == tile->rows)
      cost += lengths[i].cost;
  return transformed * cost;
}

/* Returns the cheapest tile for an area, of at most these lengths. any_area: its cost for a band
 * counts, too. */
static ConvolveGpuFftTile
find_tile (const ConvolveMatrix *matrix, int columns, int rows, gboolean any_area, const Area *area)
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
        cost = get_tile_cost (&tile, area->width, area->height);
        if (any_area)
          cost += get_tile_cost (&tile, area->width, BAND_HEIGHT);
        if (cost >= least)
          continue;
        least = cost;
        best = tile;
      }
  return best;
}

ConvolveGpuFftTile
convolve_strategy_choose_tile (const ConvolvePlan *plan, const FxStrip *strip)
{
  const ConvolveMatrix *matrix = &plan->matrix;
  const ConvolveGpuFftTile *usual = &plan->strategy.gpu.tile;
  const Area area = make_area_of_strip (plan, strip);
  const ConvolveGpuFftTile any = make_tile (matrix, usual->columns, usual->rows, &area);
  ConvolveGpuFftTile best;

  if (plan->choice.columns > 0 || ! plan->strategy.large)
    return any;
  best = find_tile (matrix, FFT_ROW_MAX, FFT_COLUMN_MAX, FALSE, &area);
  return get_tile_cost (&best, area.width, area.height) <
             (1.0 - WORTHWHILE) * get_tile_cost (&any, area.width, area.height)
           ? best
           : any;
}

static void
choose_tiles (const ConvolvePlan *plan, ConvolveGpuStrategy *gpu)
{
  const ConvolveMatrix *matrix = &plan->matrix;
  const ConvolveChoice *choice = &plan->choice;
  const Area area = make_area (matrix, PICTURE_WIDTH, PICTURE_HEIGHT);

  if (choice->columns > 0)
    gpu->tile = make_tile (matrix, choice->columns, choice->rows, &area);
  else
    gpu->tile = find_tile (matrix, FFT_ROW_MAX, FFT_COLUMN_MAX, TRUE, &area);
  if (choice->columns > 0 && MAX (choice->columns, choice->rows) <= PRECISE_MAX)
    gpu->precise = gpu->tile;
  else
    gpu->precise = find_tile (matrix, PRECISE_MAX, PRECISE_MAX, FALSE, &area);
  gpu->precise.precise = TRUE;
}

/* Returns the number of products, and sets their cost; or 0 if a sum costs less, if alpha has other
 * weights than colour, if the products do not fit into the smallest shared memory, if the matrix is
 * large, or if a test chose another path. */
static int
choose_gpu_products (const ConvolvePlan *plan, double *cost)
{
  int products = convolve_matrix_choose_products (&plan->matrix, GPU_PRODUCT_COST,
                                                  GPU_PRODUCT_TIMES, cost);

  if (plan->alpha_matrix || plan->strategy.large || ! convolve_products_fit (plan, products) ||
      plan->choice.path != CONVOLVE_PATH_CHEAPEST)
    return 0;
  return products;
}

/* Returns whether a GPU can transform the image and the matrix at all. If alpha is not written,
 * colour remains visible where its alpha is tiny, and would show the noise. */
static gboolean
can_transform (const ConvolvePlan *plan)
{
  double magnitude = plan->matrix.magnitude;

  if (plan->divides_by_alpha && ! (plan->written >> (plan->base.codec.format.channels - 1) & 1))
    return FALSE;
  return magnitude >= MAGNITUDE_MIN && magnitude <= MAGNITUDE_MAX;
}

static double
get_gpu_fft_cost (const ConvolvePlan *plan)
{
  const ConvolveGpuStrategy *gpu = &plan->strategy.gpu;
  double times = gpu->recomputes ? RECOMPUTE_TIMES : 1.0;

  return get_tile_cost (&gpu->tile, PICTURE_WIDTH, PICTURE_HEIGHT) * 2.0 *
         convolve_plan_get_planes (plan) / plan->base.codec.format.channels * times;
}

/* Another filter has many matrices, and weights for alpha have no specialised program. */
static gboolean
can_specialise (const ConvolvePlan *plan)
{
  return ! plan->strategy.large && ! plan->alpha_matrix && ! plan->owner.name &&
         convolve_can_specialise (&plan->matrix);
}

/* Returns whether to compute the matrix by transforms: always if it is large. Otherwise they must
 * be possible and accurate enough; and a test chose them, or they cost less than the products, or
 * than the sums if there are no products. Up to CONVOLVE_SPECIALISED_TAPS taps that are compiled in
 * are faster, whatever the estimate. */
static gboolean
should_transform (const ConvolvePlan *plan, double products_cost)
{
  const ConvolveGpuStrategy *gpu = &plan->strategy.gpu;

  if (plan->strategy.large)
    return TRUE;
  if (! can_transform (plan) || ! convolve_gpu_fft_is_exact_enough (plan))
    return FALSE;
  if (plan->choice.path != CONVOLVE_PATH_CHEAPEST)
    return plan->choice.path == CONVOLVE_PATH_FFT;
  if (gpu->products)
    return gpu->fft_cost < products_cost;
  return gpu->fft_cost < gpu->sum_cost && gpu->sum_cost > CONVOLVE_SPECIALISED_TAPS;
}

void
convolve_strategy_decide_gpu (ConvolvePlan *plan)
{
  const ConvolveMatrix *matrix = &plan->matrix;
  ConvolveGpuStrategy *gpu = &plan->strategy.gpu;
  double products_cost;

  choose_tiles (plan, gpu);
  gpu->recomputes = convolve_gpu_fft_may_recompute (plan);
  gpu->finds_peaks = gpu->recomputes || plan->base.codec.format.sample >= FX_SAMPLE_HALF;
  gpu->specialises = can_specialise (plan);
  gpu->sum_cost = gpu->specialises ? matrix->taps : (double) matrix->rows * matrix->columns;
  gpu->fft_cost = get_gpu_fft_cost (plan);
  gpu->products = choose_gpu_products (plan, &products_cost);
  if (should_transform (plan, products_cost))
    {
      gpu->path = CONVOLVE_PATH_FFT;
      gpu->products = 0;
    }
  else
    gpu->path = gpu->products ? CONVOLVE_PATH_PRODUCTS : CONVOLVE_PATH_TAPS;
  plan->base.cpu_only = plan->strategy.large && ! can_transform (plan);
}
