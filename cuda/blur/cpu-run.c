#include "cpu-run.h"

void
blur_cpu_run_init (BlurCpuRun *run, int width)
{
  const FxPlan *plan = run->base.base.plan;

  run->plan = blur_plan_get (plan);
  run->channels = plan->codec.format.channels;
  run->pitch = fx_rows_get_pitch (width);
  run->row_size = (run->channels * run->pitch / FX_COLUMN | 1) * FX_COLUMN;
}

void
blur_cpu_run_lay_out (BlurCpuRun *run)
{
  const BlurAxis *x = run->plan->cpu_x, *y = run->plan->cpu_y;
  const FxStrip *strip = &run->base.base.strip;
  const FxSpan source = fx_strip_get_columns (strip);
  const FxSpan result = { strip->x0, fx_cpu_blocks_get_width (strip) };
  int n = run->base.threads * run->channels, i;

  run->kernel = fx_cpu_blocks_alloc (&run->base, 2 * y->radius + 1, sizeof *run->kernel);
  if (run->kernel)
    blur_axis_fill_kernel (y, run->kernel);
  run->lines = fx_cpu_blocks_alloc (&run->base, n, sizeof *run->lines);
  for (i = 0; i < n; i++)
    {
      gpointer memory = fx_cpu_blocks_alloc (&run->base, 1, blur_line_get_bytes (x, source));

      if (memory)
        run->lines[i] = blur_line_init (memory, x, source, result);
    }
}

/* Along x. */

/* Returns the border value at one end of a line: by the abyss policy at the edge of the image,
 * otherwise the last sample, because the source continues but is not needed. */
static float
get_border (const BlurCpuRun *run, int channel, gboolean at_edge, float last)
{
  const FxPlan *plan = run->base.base.plan;

  return at_edge && plan->abyss != FX_ABYSS_CLAMP ? plan->border[channel] : last;
}

void
blur_cpu_run_filter_lines (const BlurCpuRun *run, BlurLine **lines, float *row)
{
  const FxStrip *strip = &run->base.base.strip;
  int count = fx_cpu_blocks_get_source_width (strip);

  for (int c = 0; c < run->channels; c++)
    {
      const float *source = blur_line_get_source (lines[c]);

      blur_line_filter (lines[c], get_border (run, c, strip->source_x0 == 0, source[0]),
                        get_border (run, c, strip->source_x1 == strip->width, source[count - 1]),
                        row + c * run->pitch);
    }
}
