/* Estimates the costs of the paths on the CPU, and chooses among them. */
#include "convolve-plan.h"
#include "cpu-fft-tile.h"
#include "rows.h"

#include <math.h>

/* Measured costs, in nanoseconds: of a sample (SAMPLE_COST); of the work on a sample around its
 * transform, such as the scan for its magnitude (SCAN_COST); of a tap of a sample (TAP_COST); and
 * of the forward and inverse transforms of a point of a tile (POINT_COST), which rises by
 * SPILL_COST each time that the tile doubles in size over the size of a core's cache. */
#define SAMPLE_COST  2.0
#define SCAN_COST    0.75
#define TAP_COST     0.036
#define POINT_COST   5.7
#define SPILL_COST   3.0
#define CACHE_POINTS 65536

/* The fixed cost of a product, and the cost of each of its taps, in taps of a sum. Measured. */
#define CPU_PRODUCT_COST  5.0
#define CPU_PRODUCT_TIMES 1.7

/* The picture whose cost is estimated, and the most rows that a chunk may need. */
#define USUAL_WIDTH 4096
#define USUAL_ROWS  128
#define MOST_ROWS   1024

/* A chunk of an image to find a tile for, and the threads that share it. memory is the most bytes
 * of all their tiles; 0: any number. */
typedef struct {
  const ConvolvePlan *plan;
  int width, rows;
  int threads;
  gsize memory;
} Chunk;

/* Returns the shortest length of at least so many points that can be transformed: a power of two or
 * three times one. */
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

/* Returns the time for a chunk, in nanoseconds. */
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

/* Returns a tile of this size with its steps, the threads that memory permits, and its cost. */
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

/* A tile yields at least a quarter as many rows as the matrix has, even if smaller tiles would save
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

  return SCAN_COST + convolve_strategy_choose_size (plan, USUAL_WIDTH, rows, 1, 0).cost / samples;
}

/* Sets cost to that of the products or of a sum over the taps. The terms of products cancel where a
 * weight is 0, but those of infinities do not. */
static int
choose_cpu_products (const ConvolvePlan *plan, double *cost)
{
  const ConvolveMatrix *matrix = &plan->matrix;

  *cost = matrix->taps;
  if (plan->alpha_matrix || (matrix->rank > 1 && plan->base.codec.format.sample >= FX_SAMPLE_HALF))
    return 0;
  return convolve_matrix_choose_products (matrix, CPU_PRODUCT_COST, CPU_PRODUCT_TIMES, cost);
}

void
convolve_strategy_decide_cpu (ConvolvePlan *plan)
{
  ConvolveCpuStrategy *cpu = &plan->strategy.cpu;
  double cost;
  int products = choose_cpu_products (plan, &cost), rows = choose_chunk_rows (plan);

  cpu->sum_cost = TAP_COST * cost;
  cpu->fft_cost = get_cpu_fft_cost (plan, rows);
  plan->base.cpu_cost = SAMPLE_COST + MIN (cpu->fft_cost, cpu->sum_cost);
  if (cpu->fft_cost < cpu->sum_cost)
    {
      cpu->path = CONVOLVE_PATH_FFT;
      cpu->chunk_rows = rows;
      return;
    }
  cpu->path = products ? CONVOLVE_PATH_PRODUCTS : CONVOLVE_PATH_TAPS;
  cpu->products = products;
}
