#include "gpu-tile.h"

G_STATIC_ASSERT (ORDER == BLUR_ORDER && FACTOR_MAX == BLUR_FACTOR_MAX);

void
blur_levels_init (BlurLevels *levels, const BlurAxis *axis, FxSpan source)
{
  levels->axis = axis;
  levels->spans[0] = source;
  if (axis->n_stages == 0) /* with the pixels that the FIR reaches, also outside of the image */
    source = (FxSpan) { source.first - axis->radius, source.count + 2 * axis->radius };
  for (int i = 0; i < BLUR_STAGES_MAX; i++)
    {
      if (i < axis->n_stages)
        source = blur_stage_get_span (&axis->stages[i], source);
      levels->spans[i + 1] = source;
    }
}

/* Appends n floats and returns their address within a device array at base. */
static const float *
append (GArray *floats, const float *base, const float *values, int n)
{
  const float *place = base + floats->len;

  g_array_append_vals (floats, values, n);
  return place;
}

static const float one = 1.0f;

/* Missing stages are replaced by stages of factor 1, whose kernel is 1. */
static void
append_levels (BlurLevels *levels, const float *base, GArray *floats)
{
  const BlurAxis *axis = levels->axis;

  for (int i = 0; i < BLUR_STAGES_MAX; i++)
    {
      const BlurStage *stage = &axis->stages[i];
      gboolean there = i < axis->n_stages;

      levels->stages[i].factor = there ? stage->factor : 1;
      levels->stages[i].decimate = append (floats, base, there ? stage->decimate : &one,
                                           there ? stage->radius + 1 : 1);
      levels->stages[i].interpolate = append (floats, base, there ? stage->interpolate : &one,
                                              there ? stage->factor * BLUR_ORDER : 1);
    }
  levels->taps.radius = axis->radius;
  levels->taps.weights = append (floats, base, axis->weights, axis->radius + 1);
}

static void
append_all (BlurGpuRun *run, const float *base, GArray *floats)
{
  append_levels (&run->x, base, floats);
  append_levels (&run->y, base, floats);
  run->one = (BlurTaps) { append (floats, base, &one, 1), 0 };
}

static gboolean
upload_weights (BlurGpuRun *run, GError **error)
{
  FxGpu *gpu = run->base.gpu;
  g_autoptr (GArray) floats = g_array_new (FALSE, FALSE, sizeof (float));
  gsize size;
  float *base;

  append_all (run, NULL, floats);
  size = floats->len * sizeof (float);
  base = fx_gpu_get_buffer (gpu, BLUR_BUFFER_WEIGHTS, size, error);
  if (! base)
    return FALSE;
  g_array_set_size (floats, 0);
  append_all (run, base, floats);
  return fx_gpu_upload (gpu, base, fx_gpu_run_keep (&run->base, g_array_steal (floats, NULL)), size,
                        error);
}

gboolean
blur_gpu_run_begin (BlurGpuRun *run, GError **error)
{
  const BlurPlan *plan = blur_plan_get (run->base.base.plan);
  const FxStrip *strip = &run->base.base.strip;

  run->tile = blur_tile_choose (&run->base.program_case);
  blur_levels_init (&run->x, plan->x, fx_strip_get_columns (strip));
  blur_levels_init (&run->y, plan->y, fx_strip_get_rows (strip));
  return upload_weights (run, error);
}
