#include "cpu-run.h"

#include "error.h"

/* Memory. */

gsize
blur_cpu_get_row_size (const FxPlan *plan, int width)
{
  gsize blocks = plan->codec.format.channels * fx_rows_get_pitch (width) / FX_COLUMN;

  return (blocks | 1) * FX_COLUMN;
}

gsize
blur_cpu_run_get_bytes (const FxCpu *cpu, const FxPlan *plan, const FxStrip *strip)
{
  gsize line = blur_line_get_bytes (blur_plan_get (plan)->cpu_x, fx_strip_get_columns (strip));

  return cpu->threads * plan->codec.format.channels * line;
}

static gboolean
allocate_lines (BlurCpuRun *run)
{
  const FxStrip *strip = &run->base.strip;
  FxSpan result = { strip->x0, strip->x1 - strip->x0 };
  int i;

  run->lines = g_new0 (BlurLine *, run->threads * run->channels);
  for (i = 0; i < run->threads * run->channels; i++)
    {
      run->lines[i] = blur_line_new (run->plan->cpu_x, fx_strip_get_columns (strip), result);
      if (! run->lines[i])
        return FALSE;
    }
  return TRUE;
}

gboolean
blur_cpu_run_init (BlurCpuRun *run, const FxCpu *cpu, const FxPlan *plan, const FxStrip *strip,
                   int width, GError **error)
{
  double pixels = (double) (strip->source_x1 - strip->source_x0) *
                  (strip->source_y1 - strip->source_y0);

  run->base.plan = plan;
  run->base.strip = *strip;
  run->plan = blur_plan_get (plan);
  run->channels = plan->codec.format.channels;
  run->threads = fx_cpu_get_threads (cpu, pixels);
  run->team = fx_team_new (run->threads);
  run->pitch = fx_rows_get_pitch (width);
  run->row_size = blur_cpu_get_row_size (plan, width);
  run->kernel = blur_axis_get_kernel (run->plan->cpu_y);
  return allocate_lines (run) || fx_set_no_memory (error);
}

void
blur_cpu_run_clear (BlurCpuRun *run)
{
  int i;

  fx_team_free (run->team);
  for (i = 0; run->lines && i < run->threads * run->channels; i++)
    blur_line_free (run->lines[i]);
  g_free (run->lines);
  g_free (run->kernel);
}

/* Along x. */

/* Returns the value beyond one end of a line: given by the abyss policy at the image's edge;
 * otherwise the last sample, because the source continues but is not needed. */
static float
get_beyond (const BlurCpuRun *run, int channel, gboolean at_edge, float last)
{
  const FxPlan *plan = run->base.plan;

  return at_edge && plan->abyss != FX_ABYSS_CLAMP ? plan->beyond[channel] : last;
}

void
blur_cpu_run_filter_lines (const BlurCpuRun *run, BlurLine **lines, float *row)
{
  const FxStrip *strip = &run->base.strip;
  int count = strip->source_x1 - strip->source_x0;
  int c;

  for (c = 0; c < run->channels; c++)
    {
      const float *source = blur_line_get_source (lines[c]);

      blur_line_filter (lines[c], get_beyond (run, c, strip->source_x0 == 0, source[0]),
                        get_beyond (run, c, strip->source_x1 == strip->width, source[count - 1]),
                        row + c * run->pitch);
    }
}
