/* A matrix as a product of Fourier transforms, on the GPU: overlap-save over tiles (Press and
 * others, Numerical Recipes, 13.1). */
#include "gpu-fft.h"

/* Memory. */

/* Returns whether results may be recomputed in double precision. */
static gboolean
may_be_precise (const ConvolvePlan *plan)
{
  return plan->strategy.large && plan->strategy.gpu.recomputes;
}

/* Returns the bytes of memory for an area, and sets cells to the part for the tiles between their
 * kernels. Tiles in double precision are transformed one at a time. */
static gsize
get_area_bytes (const ConvolvePlan *plan, const ConvolveGpuFftTile *tile, int width, int rows,
                gsize *cells)
{
  const ConvolveGpuFftTile *precise = &plan->strategy.gpu.precise;
  gsize tiles = convolve_gpu_fft_count_tiles (tile, width, rows);
  gsize precise_tiles = convolve_gpu_fft_count_tiles (precise, width, rows);

  *cells = convolve_gpu_fft_count_together (plan, tile, tiles) *
           convolve_gpu_fft_get_tile_bytes (plan, tile);
  if (may_be_precise (plan))
    *cells = MAX (*cells, convolve_gpu_fft_get_tile_bytes (plan, precise));
  return *cells +
         convolve_gpu_fft_get_state_bytes (plan, tiles, precise_tiles, (gsize) width * rows);
}

static gsize
get_table_bytes (const ConvolvePlan *plan, const ConvolveGpuFftTile *tile)
{
  const ConvolveGpuFftTile *precise = &plan->strategy.gpu.precise;

  return convolve_gpu_fft_get_table_bytes (tile) +
         (may_be_precise (plan) ? convolve_gpu_fft_get_table_bytes (precise) : 0);
}

/* The run may choose either tile. */
static gsize
fft_get_bytes (const FxPlan *base, const FxStrip *strip)
{
  const ConvolvePlan *plan = convolve_plan_get (base);
  const ConvolveGpuFftTile tiles[] = { plan->strategy.gpu.tile,
                                       convolve_strategy_choose_tile (plan, strip) };
  gsize most = 0, cells;

  for (int i = 0; i < 2; i++)
    most = MAX (most,
                get_area_bytes (plan, &tiles[i], strip->x1 - strip->x0, strip->chunk_rows, &cells) +
                  get_table_bytes (plan, &tiles[i]));
  return most;
}

/* The run. */

static void
trace_tile (const FftRun *run)
{
  const ConvolveGpuFftTile *tile = &run->single.tile;
  g_autofree char *text = g_strdup_printf ("FFT, %dx%d", tile->rows, tile->columns);

  convolve_trace_path (convolve_plan_get (run->base.base.base.plan), text);
}

/* Returns whether all border pixels are 0. */
static gboolean
has_zero_border (const FxPlan *plan)
{
  gboolean zero = plan->abyss != FX_ABYSS_CLAMP;

  for (int c = 0; c < plan->codec.format.channels; c++)
    zero = zero && plan->border[c] == 0.0f;
  return zero;
}

/* Sets the errors, and the rows that are transformed: those of the image if the border is 0, or
 * else all that any matrix can reach. */
static void
init_transform (const FxGpuRun *base, FftTransform *transform)
{
  const FxPlan *plan = base->base.plan;
  int rows = has_zero_border (plan) ? 0 : CONVOLVE_SIZE_MAX;

  convolve_gpu_fft_set_errors (convolve_plan_get (plan), &transform->tile, base->for_view,
                               &transform->fft);
  transform->fft.top = -rows;
  transform->fft.bottom = base->base.strip.height + rows;
}

static gboolean
make_tables (FftRun *run, GError **error)
{
  FxGpuRun *base = &run->base.base;
  gsize size = get_table_bytes (convolve_plan_get (base->base.plan), &run->single.tile);
  gpointer tables = fx_gpu_get_buffer (base->gpu, FX_BUFFER_PATH_2, size, error);

  return tables && convolve_gpu_fft_make_tables (run, &run->single, tables, error);
}

static gboolean
fft_begin (FxGpuRun *base, GError **error)
{
  FftRun *run = (FftRun *) base;

  if (! convolve_gpu_fft_find_kernels (run, error))
    return FALSE;
  run->direct = convolve_tile_choose (&base->program_case);
  init_transform (base, &run->single);
  init_transform (base, &run->precise);
  trace_tile (run);
  return convolve_gpu_run_begin (&run->base, error) && make_tables (run, error);
}

static gboolean
prepare_area (FftRun *run, const FxRect *area, GError **error)
{
  FxGpuRun *base = &run->base.base;
  const ConvolvePlan *plan = convolve_plan_get (base->base.plan);
  gsize cells, size = get_area_bytes (plan, &run->single.tile, area->width, area->height, &cells);
  char *memory = fx_gpu_get_buffer (base->gpu, FX_BUFFER_PATH_1, size, error);

  if (! memory)
    return FALSE;
  run->single.fft.cells = (ConvolveComplex *) memory;
  return convolve_gpu_fft_clear_state (run, memory + cells, area, error);
}

static gboolean
fft_pull (FxGpuRun *base, const FxRect *area, GError **error)
{
  FftRun *run = (FftRun *) base;

  convolve_gpu_fft_set_area (&run->single, area);
  convolve_gpu_fft_set_area (&run->precise, area);
  return prepare_area (run, area, error) &&
         convolve_gpu_fft_queue_tiles (run, &run->single, 0, run->single.tiles, error) &&
         convolve_gpu_fft_recompute_area (run, area, error);
}

static void
fft_end (FxGpuRun *base)
{
  g_free (((FftRun *) base)->state);
}

const FxGpuPath convolve_gpu_fft = {
  .size = sizeof (FftRun),
  .get_bytes = fft_get_bytes,
  .get_programs = convolve_gpu_fft_get_programs,
  .begin = fft_begin,
  .pull = fft_pull,
  .end = fft_end,
};
