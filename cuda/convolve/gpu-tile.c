#include "convolve-gpu.h"

#include "shared.h"

#define GENERIC_RUN 16
#define LARGE       41 /* rows of a matrix that counts as large */

/* Matches the kernel's layout. One row is read but not used. */
static gsize
get_shared (const ConvolvePlan *plan, const ConvolveTile *tile, int chunk)
{
  gsize sets = plan->alpha_matrix ? 2 : 1;
  gsize weights = tile->by_rows ? 0 : sets * plan->matrix.columns * chunk;
  gsize rows = tile->groups * tile->run + chunk;
  gsize span = tile->columns + plan->matrix.columns - 1;

  if (! tile->by_rows)
    rows |= 1;
  return (weights + rows * span * plan->base.codec.format.channels) * sizeof (float);
}

/* Returns the number of taps that a kernel processes for so many taps: it pads them with 0. */
static int
round_taps (int taps)
{
  return (taps + STEP - 1) / STEP * STEP;
}

/* Sets chunk to the rows of the matrix that fit into most bytes, or to 0. */
static void
fill_tile (const ConvolvePlan *plan, ConvolveTile *tile, gsize most)
{
  tile->chunk = round_taps (plan->matrix.rows);
  while (tile->chunk > 0 && (tile->shared = get_shared (plan, tile, tile->chunk)) +
                                fx_shared_get_table (&plan->base.codec) >
                              most)
    tile->chunk -= STEP;
}

static const int tile_columns[] = { 128, 64, 32, 32 };

/* Large matrices need many threads per tile. Others need several tiles per multiprocessor, so that
 * some compute while others load. Measured. */
ConvolveTile
convolve_tile_choose (const FxProgramCase *program_case)
{
  const ConvolvePlan *plan = convolve_plan_get (program_case->plan);
  int columns = tile_columns[program_case->codec.format.channels - 1];
  ConvolveTile tile = { .columns = columns, .groups = 4, .run = GENERIC_RUN };

  if (plan->matrix.rows >= LARGE)
    {
      fill_tile (plan, &tile, program_case->shared_block);
      if (tile.chunk >= round_taps (plan->matrix.rows) / 2)
        return tile;
    }
  for (tile.groups = 2; tile.groups > 0; tile.groups--)
    {
      fill_tile (plan, &tile, fx_shared_get_half (program_case));
      if (tile.chunk >= MIN (round_taps (plan->matrix.rows), GENERIC_RUN))
        return tile;
    }
  tile.groups = 1;
  fill_tile (plan, &tile, program_case->shared_block);
  return tile;
}

ConvolveTile
convolve_tile_choose_specialised (const FxProgramCase *program_case)
{
  const ConvolvePlan *plan = convolve_plan_get (program_case->plan);
  ConvolveTile tile = { .columns = tile_columns[program_case->codec.format.channels - 1],
                        .groups = 2,
                        .run = CONVOLVE_SPECIALISED_RUN,
                        .by_rows = TRUE };

  fill_tile (plan, &tile, fx_shared_get_half (program_case));
  if (tile.chunk < plan->matrix.rows)
    fill_tile (plan, &tile, program_case->shared_block);
  if (tile.chunk < plan->matrix.rows)
    tile.chunk = 0;
  return tile;
}

/* Products. */

static gsize
get_pitch (gsize columns, gsize channels)
{
  return (columns * channels + 31) / 32 * 32 + channels;
}

/* Matches the kernel's layout. */
static gsize
get_products_shared (const ConvolvePlan *plan, gsize terms, gsize tile)
{
  const ConvolveMatrix *matrix = &plan->matrix;
  gsize channels = plan->base.codec.format.channels;
  gsize rows = round_taps (matrix->rows), columns = round_taps (matrix->columns);
  gsize line = PRODUCT_RUN * get_pitch (tile + columns, channels);
  gsize rings = terms * (rows + PRODUCT_RUN) * get_pitch (tile, channels);

  return (terms * (rows + columns) + line + rings) * sizeof (float);
}

static const int widest[] = { 256, 128, 128, 64 };
static const int narrowest[] = { 32, 16, 32, 8 };

gsize
convolve_products_get_shared (const ConvolvePlan *plan, int tile)
{
  return get_products_shared (plan, plan->strategy.gpu.products, tile);
}

/* Returns the widest tile of which two blocks fit into a multiprocessor. A tile is narrower than a
 * warp only if a block does not fit otherwise. */
int
convolve_products_choose_tile (const FxProgramCase *program_case)
{
  const ConvolvePlan *plan = convolve_plan_get (program_case->plan);
  int channel = program_case->codec.format.channels - 1, tile = widest[channel];
  gsize own = fx_shared_get_table (&program_case->codec);
  gsize most = fx_shared_get_half (program_case);

  while (tile > 32 && own + convolve_products_get_shared (plan, tile) > most)
    tile /= 2;
  while (tile > narrowest[channel] &&
         own + convolve_products_get_shared (plan, tile) > program_case->shared_block)
    tile /= 2;
  return tile;
}

gboolean
convolve_products_fit (const ConvolvePlan *plan, int products)
{
  const FxCodec *codec = &plan->base.codec;
  int narrow = narrowest[codec->format.channels - 1];

  return fx_shared_get_table (codec) + get_products_shared (plan, products, narrow) <=
         FX_SHARED_LEAST;
}
