#include "invert.h"

#include "cpu-blocks.h"
#include "error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

gboolean
invert_params_check (const InvertParams *params, GError **error)
{
  if (params->amount >= 0.0 && params->amount <= 1.0)
    return fx_light_check (params->light, error);
  return fx_refuse (error, _ ("%s is %g, but must be 0 to 1"), "amount", params->amount);
}

/* The path on the CPU: rows wait in a ring, as they are stored. A block is a row. */

typedef struct {
  FxCpuBlocks base;
  int ring_rows;
  gsize row_bytes, planes_size;
  guint8 *ring;
  float *planes; /* of one row for each thread */
} InvertRun;

static guint8 *
get_slot (const InvertRun *run, int y)
{
  return run->ring + y % run->ring_rows * run->row_bytes;
}

static void
decode (const FxCpuBlocks *base, const guint8 *source, int y, int thread)
{
  const InvertRun *run = (const InvertRun *) base;

  memcpy (get_slot (run, y), source, run->row_bytes);
}

static void
filter_row (const FxCpuBlocks *base, const FxRect *block, guint8 *result, gsize stride, int thread)
{
  const InvertRun *run = (const InvertRun *) base;
  const FxPlan *plan = base->base.plan;
  const InvertPlan *invert = (const InvertPlan *) plan;
  const int width = block->width, channels = plan->codec.format.channels;
  const int colors = channels - fx_format_has_alpha (&plan->codec.format);
  float *planes[FX_CHANNELS_MAX];

  for (int c = 0; c < FX_CHANNELS_MAX; c++)
    planes[c] = run->planes + thread * run->planes_size +
                MIN (c, channels - 1) * fx_rows_get_pitch (width);
  fx_codec_decode (&plan->codec, get_slot (run, block->y), width, planes);
  for (int c = 0; c < colors; c++)
    for (int i = 0; i < width; i++)
      planes[c][i] = planes[c][i] * invert->factor + invert->added;
  fx_codec_encode (&plan->codec, planes, width, result);
}

static void
init (FxCpuBlocks *base)
{
  InvertRun *run = (InvertRun *) base;
  const FxPlan *plan = base->base.plan;
  int width = fx_cpu_blocks_get_width (&base->base.strip);

  base->columns = width;
  base->rows = 1;
  base->decode = decode;
  base->filter = filter_row;
  run->ring_rows = fx_strip_get_ring_rows (&base->base.strip, &plan->reach);
  run->row_bytes = width * fx_format_size (&plan->codec.format);
  run->planes_size = plan->codec.format.channels * fx_rows_get_pitch (width);
}

static void
lay_out (FxCpuBlocks *base)
{
  InvertRun *run = (InvertRun *) base;

  run->ring = fx_cpu_blocks_alloc (base, run->ring_rows, run->row_bytes);
  run->planes = fx_cpu_blocks_alloc (base, base->threads * run->planes_size, sizeof (float));
}

static const FxCpuPath invert_cpu = {
  .size = sizeof (InvertRun),
  .init = init,
  .lay_out = lay_out,
};

/* The filter. */

static const FxFilter filter = { .name = "invert", .get_draft = fx_plan_get_same };

FxPlan *
invert_plan_new (const InvertParams *params, const FxFormat *format, GError **error)
{
  InvertPlan *plan;
  FxCodec codec;

  if (! invert_params_check (params, error) || ! fx_format_check (format, error))
    return NULL;
  codec = fx_codec_new (format, params->light);
  codec.alpha = FX_ALPHA_STRAIGHT;
  plan = g_new0 (InvertPlan, 1);
  fx_plan_init (&plan->base, &filter, &codec, FX_ABYSS_CLAMP);
  plan->factor = (float) (1.0 - 2.0 * params->amount);
  plan->added = (float) params->amount;
  plan->base.cpu_cost = 2.0;
  plan->base.cpu_path = &invert_cpu;
  plan->base.gpu_path = FX_GPU_PATH (invert_gpu);
  plan->base.identity = params->amount == 0.0;
  return &plan->base;
}
