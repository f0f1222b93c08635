/* The CPU path for an axis y without stages: each row of the source is filtered along x into a ring
 * of rows, and the result is filtered along y from the ring. */
#include "cpu-run.h"

#include "error.h"

#include <string.h>

typedef struct {
  BlurCpuRun base;
  float *ring; /* row y, filtered along x, is in slot y mod ring_rows */
  int ring_rows;
  float *beyond; /* one such row of the pixels beyond the edge */
} Run;

static int
cpu_fir_get_width (const FxStrip *strip)
{
  return strip->x1 - strip->x0;
}

static gsize
cpu_fir_get_column_rows (const FxPlan *plan)
{
  return 2 * ((gsize) BLUR_CPU_ROWS + blur_plan_get (plan)->cpu_y.radius);
}

static gsize
cpu_fir_get_bytes (gconstpointer cpu, const FxPlan *plan, const FxStrip *strip)
{
  gsize rows = (gsize) fx_strip_get_ring_rows (strip, &plan->reach) + 1;

  return blur_cpu_run_get_bytes (cpu, plan, strip, cpu_fir_get_column_rows (plan)) +
         rows * blur_cpu_get_row_size (plan, cpu_fir_get_width (strip)) * sizeof (float);
}

static gboolean
cpu_fir_needs_all (const FxPlan *plan)
{
  return FALSE;
}

static void
end (FxRun *base)
{
  Run *run = (Run *) base;

  blur_cpu_run_clear (&run->base);
  g_free (run->ring);
  g_free (run->beyond);
  g_free (run);
}

static void
cpu_fir_init_beyond (Run *run)
{
  gsize i;
  int c;

  for (c = 0; c < run->base.channels; c++)
    for (i = 0; i < run->base.pitch; i++)
      run->beyond[c * run->base.pitch + i] = run->base.base.plan->beyond[c];
}

static gboolean
cpu_fir_allocate (Run *run, GError **error)
{
  run->ring = fx_cpu_allocate (run->ring_rows * run->base.row_size);
  run->beyond = fx_cpu_allocate (run->base.row_size);
  if (! run->ring || ! run->beyond)
    return fx_set_no_memory (error);
  cpu_fir_init_beyond (run);
  return TRUE;
}

/* Returns row y of the ring; beyond the edge, the row that the abyss policy gives. */
static const float *
cpu_fir_get_row (const Run *run, gint64 y)
{
  const FxStrip *strip = &run->base.base.strip;

  if ((y < 0 || y >= strip->height) && run->base.base.plan->abyss != FX_ABYSS_CLAMP)
    return run->beyond;
  return run->ring + CLAMP (y, 0, strip->height - 1) % run->ring_rows * run->base.row_size;
}

static void
cpu_fir_fill (const BlurCpuRun *base, int y, int count, gsize offset, float (*column)[FX_COLUMN],
              float (*out)[FX_COLUMN])
{
  const Run *run = (const Run *) base;
  int radius = base->plan->cpu_y.radius;
  int row;

  for (row = 0; row < count + 2 * radius; row++)
    {
      gint64 n = (gint64) y - radius + row;

      fx_cpu_prefetch (cpu_fir_get_row (run, n + FX_CPU_AHEAD) + offset);
      memcpy (column[row], cpu_fir_get_row (run, n) + offset, sizeof column[row]);
    }
  fx_column_convolve (column, base->kernel, 2 * radius + 1, count, out);
}

static FxRun *
cpu_fir_begin (gpointer cpu, const FxPlan *plan, const FxStrip *strip, GError **error)
{
  Run *run = g_new0 (Run, 1);

  run->base.base.backend = &blur_cpu_fir;
  run->base.fill = cpu_fir_fill;
  run->ring_rows = fx_strip_get_ring_rows (strip, &plan->reach);
  if (blur_cpu_run_init (&run->base, cpu, plan, strip, cpu_fir_get_width (strip),
                         cpu_fir_get_column_rows (plan), error) &&
      cpu_fir_allocate (run, error))
    return &run->base.base;
  end (&run->base.base);
  return NULL;
}

typedef struct {
  Run *run;
  const guint8 *source;
  int y;
} Push;

static void
cpu_fir_push_rows (gpointer data, int first, int end, int thread)
{
  const Push *job = data;
  Run *run = job->run;
  const FxStrip *strip = &run->base.base.strip;
  const FxCodec *codec = &run->base.base.plan->codec;
  BlurLine **lines = blur_cpu_run_get_lines (&run->base, thread);
  int width = strip->source_x1 - strip->source_x0;
  gsize stride = width * fx_format_size (&codec->format);
  float *planes[FX_CHANNELS_MAX];
  int row, c;

  for (c = 0; c < run->base.channels; c++)
    planes[c] = blur_line_get_source (lines[c]);
  for (row = first; row < end; row++)
    {
      fx_codec_decode (codec, job->source + row * stride, width, planes);
      blur_cpu_run_filter_lines (&run->base, lines,
                                 run->ring + (job->y + row) % run->ring_rows * run->base.row_size);
    }
}

static gboolean
cpu_fir_push (FxRun *base, gconstpointer source, int y, int rows, GError **error)
{
  Run *run = (Run *) base;
  Push job = { run, source, y };

  fx_team_run (run->base.team, rows, 4, cpu_fir_push_rows, &job);
  return TRUE;
}

static gboolean
cpu_fir_pull (FxRun *base, gpointer result, int y, int rows, GError **error)
{
  blur_cpu_run_pull ((BlurCpuRun *) base, result, y, rows);
  return TRUE;
}

const FxBackend blur_cpu_fir = {
  .needs_all = cpu_fir_needs_all,
  .get_bytes = cpu_fir_get_bytes,
  .begin = cpu_fir_begin,
  .push = cpu_fir_push,
  .pull = cpu_fir_pull,
  .end = end,
};
