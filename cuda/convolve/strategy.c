#include "strategy.h"

#include "cpu-fft-tile.h"
#include "gpu-fft.h"
#include "rows.h"
#include "trace.h"

#include <math.h>

/* Products. */

/* Returns how many products compute the matrix, or 0 if a sum over the taps costs less. Sets cost
 * to that of the cheaper one. The unit is a tap of that sum. A product costs each, and times for
 * each of its taps. */
static int
choose_products (const ConvolveMatrix *matrix, double each, double times, double *cost)
{
  double products = matrix->rank * (each + times * (matrix->rows + matrix->columns));
  gboolean cheaper = matrix->rank <= CONVOLVE_PRODUCTS_MAX && products < matrix->taps;

  *cost = cheaper ? products : matrix->taps;
  return cheaper ? matrix->rank : 0;
}

/* The CPU. */

/* Nanoseconds: SAMPLE_COST of a sample, LOOK_COST of one outside of its tile, TAP_COST of a tap of
 * a sample. POINT_COST is that of a point of a tile, with the transforms there and back, and
 * SPILL_COST how many more it takes each time that the tile doubles beyond what a core's cache
 * holds. All measured. */
#define SAMPLE_COST  2.0
#define LOOK_COST    0.5
#define TAP_COST     0.024
#define POINT_COST   3.8
#define SPILL_COST   2.0
#define CACHE_POINTS 65536

/* The fixed cost of a product, in taps, and the cost of each of its taps, relative to other taps.
 * Measured. */
#define CPU_PRODUCT_COST  5.0
#define CPU_PRODUCT_TIMES 1.7

/* Relative to the sum of the weights' magnitudes: the least sum of alpha that colour is divided by
 * after a transform in double precision. The division magnifies the errors of both sums: each has a
 * standard deviation of up to 7e-16 (gpu-fft-error.c), 4.5 deviations of the two together are
 * 4e-15, and colour may be off by 1e-5 where the curve is steepest, with a slope of 12.92. */
#define LEAST_ALPHA 6e-9

/* The picture whose cost is estimated, and the most rows that a chunk may need. */
#define USUAL_WIDTH 4096
#define USUAL_ROWS  128
#define MOST_ROWS   1024

/* A chunk of an image that tiles are chosen for, and the threads that share it. All their tiles
 * together may take that many bytes of memory; 0: any number. */
typedef struct {
  const ConvolvePlan *plan;
  int width, rows;
  int threads;
  gsize memory;
} Chunk;

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

/* Returns the bytes of a tile and of its scratch space. */
static gsize
get_bytes (int columns, int rows)
{
  return (convolve_fft_tile_count_points (columns, rows) + rows) * sizeof (ConvolveFftPoint);
}

int
convolve_strategy_count_pairs (const FxFormat *format, int across)
{
  int alphas = fx_format_has_alpha (format) ? across : 0;
  int colors = format->channels * across - alphas;

  return (int) (fx_ceil_div (colors, CONVOLVE_FFT_LAYERS) +
                fx_ceil_div (alphas, CONVOLVE_FFT_LAYERS));
}

/* Returns the nanoseconds for a chunk. */
static double
get_chunk_cost (const Chunk *chunk, const ConvolveFftSize *size)
{
  int across = (int) fx_ceil_div (chunk->width, size->step_x);
  double pairs = (double) fx_ceil_div (chunk->rows, size->step_y) *
                 convolve_strategy_count_pairs (&chunk->plan->base.codec.format, across);
  double points = (double) size->columns * size->rows;
  double spill = MAX (log2 (points / CACHE_POINTS), 0.0);

  return ceil (pairs / size->threads) * points * (POINT_COST + SPILL_COST * spill);
}

/* Sets what a tile of these points gives, the threads, fewer if there is no memory for more, and
 * the cost. */
static ConvolveFftSize
make_size (const Chunk *chunk, int columns, int rows)
{
  const ConvolveMatrix *matrix = &chunk->plan->matrix;
  gsize most = chunk->memory / get_bytes (columns, rows);
  ConvolveFftSize size = {
    .columns = columns,
    .rows = rows,
    .step_x = (columns - matrix->columns + 1) / CONVOLVE_FFT_LINES * CONVOLVE_FFT_LINES,
    .step_y = MIN (rows - matrix->rows + 1, chunk->rows),
    .threads = chunk->memory ? (int) CLAMP (most, 1, (gsize) chunk->threads) : chunk->threads,
  };

  size.cost = get_chunk_cost (chunk, &size);
  return size;
}

/* Tiles give a quarter as many rows as the matrix has, or more, even if smaller ones would save
 * memory. */
ConvolveFftSize
convolve_strategy_choose_size (const ConvolvePlan *plan, int width, int height, int threads,
                               gsize memory)
{
  const Chunk chunk = { plan, width, height, threads, memory };
  int reach = plan->matrix.rows - 1, least = MAX (USUAL_ROWS, reach / 4);
  int rows = get_length (reach + MIN (height, least));
  ConvolveFftSize best = { 0 }, size;

  do
    {
      int columns = get_length (plan->matrix.columns - 1 + FX_COLUMN);

      do
        {
          gboolean fits = memory == 0 || get_bytes (columns, rows) <= memory;

          size = make_size (&chunk, columns, rows);
          if (best.rows == 0 || (fits && size.cost < best.cost))
            best = size;
          columns = get_length (columns + 1);
        }
      while (size.step_x < width);
      rows = get_length (rows + 1);
    }
  while (size.step_y < height);
  return best;
}

/* Returns the rows of a chunk for a picture of a usual width: a power of two. */
static int
choose_chunk_rows (const ConvolvePlan *plan)
{
  int rows = USUAL_ROWS, most;

  if (! plan->strategy.large)
    return rows;
  most = convolve_strategy_choose_size (plan, USUAL_WIDTH, MOST_ROWS, 1, 0).step_y;
  while (2 * rows <= most)
    rows *= 2;
  return rows;
}

static double
get_cpu_fft_cost (const ConvolvePlan *plan, int rows)
{
  double samples = (double) USUAL_WIDTH * rows * plan->base.codec.format.channels;

  return LOOK_COST + convolve_strategy_choose_size (plan, USUAL_WIDTH, rows, 1, 0).cost / samples;
}

/* Sets cost to that of the products, or of a sum over the taps. Products cancel if a weight is 0,
 * but not for infinities. */
static int
choose_cpu_products (const ConvolvePlan *plan, double *cost)
{
  const ConvolveMatrix *matrix = &plan->matrix;

  *cost = matrix->taps;
  if (plan->alpha_matrix || (matrix->rank > 1 && plan->base.codec.format.sample >= FX_SAMPLE_HALF))
    return 0;
  return choose_products (matrix, CPU_PRODUCT_COST, CPU_PRODUCT_TIMES, cost);
}

static void
decide_cpu (ConvolvePlan *plan)
{
  ConvolveCpuStrategy *cpu = &plan->strategy.cpu;
  double cost;
  int products = choose_cpu_products (plan, &cost), rows = choose_chunk_rows (plan);

  cpu->sum_cost = TAP_COST * cost;
  cpu->fft_cost = get_cpu_fft_cost (plan, rows);
  if (cpu->fft_cost < cpu->sum_cost)
    {
      cpu->path = CONVOLVE_PATH_FFT;
      cpu->chunk_rows = rows;
      return;
    }
  cpu->path = products ? CONVOLVE_PATH_PRODUCTS : CONVOLVE_PATH_TAPS;
  cpu->products = products;
}

double
convolve_get_cpu_cost (const FxPlan *base)
{
  const ConvolveCpuStrategy *cpu = &convolve_plan_get (base)->strategy.cpu;

  return SAMPLE_COST + (cpu->path == CONVOLVE_PATH_FFT ? cpu->fft_cost : cpu->sum_cost);
}

/* The GPU. The unit of cost is a tap of a sample. */

/* The fixed cost of a product, and the cost of each of its taps: they go through shared memory
 * twice. Measured. */
#define GPU_PRODUCT_COST  16.0
#define GPU_PRODUCT_TIMES 1.5

/* How many times as long transforms take if results are recomputed: measured with a matrix of 15x15
 * to 21x21 and a picture of which some is nearly transparent. */
#define RECOMPUTE_TIMES 1.5

/* Beyond these sums of magnitudes, single precision does not hold all of a spectrum. */
#define MAGNITUDE_MIN 1e-20
#define MAGNITUDE_MAX 1e7 /* times FFT_PEAK_MAX */

/* Tiles for areas of any size are chosen for a picture of this size, and for the rows of it that a
 * run pulls at a time if it does not stay on the device. */
#define PICTURE_WIDTH  3840
#define PICTURE_HEIGHT 2160
#define BAND_HEIGHT    128

/* A tile for one size of area must save this share of the cost: its programs may have to be
 * compiled. */
#define WORTHWHILE 0.1

/* The lengths to choose from, few enough that their programs stay in the cache, and the cost of a
 * sample in tiles of as many rows; 0: no tile has more than FFT_COLUMN_MAX. STAGE_COST is added if
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

/* Returns the cost of a sample of an area. */
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

/* Returns the cheapest tile for an area, of at most these lengths. anywhere: also for a band. */
static ConvolveGpuFftTile
find_tile (const ConvolveMatrix *matrix, int columns, int rows, gboolean anywhere, const Area *area)
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
        if (anywhere)
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

/* Also returns 0 if alpha has other weights than colour, if the products do not fit into the
 * smallest shared memory, if the matrix is large, or if a test chose another path. */
static int
choose_gpu_products (const ConvolvePlan *plan)
{
  double cost;
  int products = choose_products (&plan->matrix, GPU_PRODUCT_COST, GPU_PRODUCT_TIMES, &cost);

  if (plan->alpha_matrix || plan->strategy.large || ! convolve_products_fit (plan, products) ||
      plan->choice.path != CONVOLVE_PATH_CHEAPEST)
    return 0;
  return products;
}

/* Returns whether a GPU can transform the image and the matrix at all. If alpha is not written,
 * colour can be visible however little of it the matrix reaches. */
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

/* The generic program is all that there is for the many matrices of another filter, and for those
 * with weights for alpha. */
static gboolean
can_specialise (const ConvolvePlan *plan)
{
  return ! plan->strategy.large && ! plan->alpha_matrix && ! plan->owner.name &&
         convolve_can_specialise (&plan->matrix);
}

/* Returns whether transforms compute the matrix: always if it is large. Else they must be able
 * to, and a test chose them, or there are no products and they cost less than sums. Up to
 * CONVOLVE_SPECIALISED_TAPS taps, compiled in, are faster than transforms, whatever the costs. */
static gboolean
should_transform (const ConvolvePlan *plan)
{
  const ConvolveGpuStrategy *gpu = &plan->strategy.gpu;

  if (plan->strategy.large)
    return TRUE;
  if (! can_transform (plan) || ! convolve_gpu_fft_stands_curve (plan))
    return FALSE;
  if (plan->choice.path != CONVOLVE_PATH_CHEAPEST)
    return plan->choice.path == CONVOLVE_PATH_FFT;
  return ! gpu->products && gpu->fft_cost < gpu->sum_cost &&
         gpu->sum_cost > CONVOLVE_SPECIALISED_TAPS;
}

static void
decide_gpu (ConvolvePlan *plan)
{
  const ConvolveMatrix *matrix = &plan->matrix;
  ConvolveGpuStrategy *gpu = &plan->strategy.gpu;

  choose_tiles (plan, gpu);
  gpu->recomputes = convolve_gpu_fft_may_recompute (plan);
  gpu->finds_peaks = gpu->recomputes || plan->base.codec.format.sample >= FX_SAMPLE_HALF;
  gpu->specialises = can_specialise (plan);
  gpu->sum_cost = gpu->specialises ? matrix->taps : (double) matrix->rows * matrix->columns;
  gpu->fft_cost = get_gpu_fft_cost (plan);
  gpu->products = choose_gpu_products (plan);
  gpu->path = gpu->products ? CONVOLVE_PATH_PRODUCTS : CONVOLVE_PATH_TAPS;
  if (should_transform (plan))
    gpu->path = CONVOLVE_PATH_FFT;
}

/* Both. */

static float
get_least_alpha (const ConvolvePlan *plan)
{
  const ConvolveMatrix *alpha = plan->alpha_matrix ? plan->alpha_matrix : &plan->matrix;

  return plan->divides_by_alpha ? (float) (LEAST_ALPHA * alpha->magnitude) : 0.0f;
}

void
convolve_plan_choose (ConvolvePlan *plan, const ConvolveChoice *choice)
{
  plan->choice = *choice;
  plan->strategy = (ConvolveStrategy) {
    .large = convolve_matrix_is_large (&plan->matrix),
    .least_alpha = get_least_alpha (plan),
  };
  decide_cpu (plan);
  decide_gpu (plan);
  plan->base.cpu_only = plan->strategy.large && ! can_transform (plan);
}

void
convolve_trace_path (const ConvolvePlan *plan, const char *path)
{
  const ConvolveMatrix *matrix = &plan->matrix;
  const ConvolveCpuStrategy *cpu = &plan->strategy.cpu;
  const ConvolveGpuStrategy *gpu = &plan->strategy.gpu;
  const char *recomputing = plan->strategy.large ? ", recomputed in double precision"
                                                 : ", recomputed by sums";

  fx_trace (plan->base.filter->name, g_get_monotonic_time (), 0,
            "%dx%d, %d taps, rank %d: %s (CPU: FFT %.1f ns, else %.1f; GPU: FFT %.0f taps, sums "
            "%.0f%s)",
            matrix->rows, matrix->columns, matrix->taps, matrix->rank, path, cpu->fft_cost,
            cpu->sum_cost, gpu->fft_cost, gpu->sum_cost, gpu->recomputes ? recomputing : "");
}
