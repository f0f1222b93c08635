/* A selective blur on the CPU: decoded rows wait in a ring, and their pixels as they are stored. */
#include "cpu-blocks.h"
#include "cpu-rows.h"

#include <math.h>
#include <string.h>

#define WORK 1e7 /* pixels of windows in a row of blocks */

typedef struct {
  FxCpuBlocks base;
  SelectiveLayout layout;
  float *rows;
} SelectiveRun;

static float *
get_row (const SelectiveRun *run, int y)
{
  return run->rows + y % run->base.ring_rows * selective_layout_get_size (&run->layout);
}

static void
decode (const FxCpuBlocks *base, const guint8 *source, int y, int thread)
{
  const SelectiveRun *run = (const SelectiveRun *) base;

  selective_layout_decode (&run->layout, source, get_row (run, y));
}

/* Encodes n pixels, except for alpha and samples that stay, which are copied from before. */
static void
store (const FxCodec *codec, float (*values)[SELECTIVE_BLOCK], const guint8 *before, int n,
       guint8 *result)
{
  gsize sample = fx_sample_size (codec->format.sample);
  int channels = codec->format.channels;
  gboolean stays[FX_CHANNELS_MAX][SELECTIVE_BLOCK];
  float *planes[FX_CHANNELS_MAX];

  for (int c = 0; c < channels; c++)
    {
      planes[c] = values[c];
      for (int i = 0; i < n; i++)
        stays[c][i] = isnan (values[c][i]);
    }
  fx_codec_encode (codec, planes, n, result);
  for (int i = 0; i < n; i++)
    for (int c = 0; c < channels; c++, before += sample, result += sample)
      if (stays[c][i])
        memcpy (result, before, sample);
}

/* Computes n pixels of row y, at most SELECTIVE_BLOCK, from column x on. */
static void
filter_row (const SelectiveRun *run, int x, int y, int n, guint8 *result)
{
  const FxStrip *strip = &run->base.base.strip;
  const FxPlan *plan = run->base.base.plan;
  int radius = run->layout.plan->window.radius;
  const float *rows[2 * SELECTIVE_RADIUS_MAX + 1];
  float values[FX_CHANNELS_MAX][SELECTIVE_BLOCK];

  for (int i = 0; i <= 2 * radius; i++)
    {
      int at = y + i - radius, inside = CLAMP (at, 0, strip->height - 1);

      rows[i] = at == inside || plan->abyss == FX_ABYSS_CLAMP ? get_row (run, inside) : NULL;
    }
  for (int i = 0; i < SELECTIVE_BLOCK; i++)
    values[run->layout.colors][i] = NAN; /* alpha */
  selective_window_filter (&run->layout, rows, x - strip->x0, values);
  store (&plan->codec, values, fx_cpu_blocks_get_stored (&run->base, x, y), n, result);
}

static void
filter (const FxCpuBlocks *base, const FxRect *block, guint8 *result, gsize stride, int thread)
{
  for (int row = 0; row < block->height; row++)
    filter_row ((const SelectiveRun *) base, block->x, block->y + row, block->width,
                result + row * stride);
}

static void
init (FxCpuBlocks *base)
{
  SelectiveRun *run = (SelectiveRun *) base;
  const SelectivePlan *plan = (const SelectivePlan *) base->base.plan;
  const FxStrip *strip = &base->base.strip;
  double side = 2.0 * plan->window.radius + 1.0;

  base->keeps_source = TRUE;
  base->columns = SELECTIVE_BLOCK;
  base->rows = (int) CLAMP (WORK / (side * side * fx_cpu_blocks_get_width (strip)), 1.0,
                            strip->chunk_rows);
  base->decode = decode;
  base->filter = filter;
  run->layout = selective_layout_new (plan, strip);
}

/* The last block reads beyond the columns. */
static void
lay_out (FxCpuBlocks *base)
{
  SelectiveRun *run = (SelectiveRun *) base;

  run->rows = fx_cpu_blocks_alloc0 (base, base->ring_rows,
                                    selective_layout_get_size (&run->layout) * sizeof *run->rows);
}

const FxCpuPath selective_cpu_path = {
  .size = sizeof (SelectiveRun),
  .init = init,
  .lay_out = lay_out,
};
