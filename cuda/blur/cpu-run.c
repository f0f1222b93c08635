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
blur_cpu_run_get_bytes (const FxCpu *cpu, const FxPlan *plan, const FxStrip *strip,
                        gsize column_rows)
{
  gsize line = blur_line_get_bytes (&blur_plan_get (plan)->cpu_x, fx_strip_get_columns (strip));
  gsize columns = column_rows * FX_COLUMN * sizeof (float);

  return cpu->threads * (plan->codec.format.channels * line + columns);
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
      run->lines[i] = blur_line_new (&run->plan->cpu_x, fx_strip_get_columns (strip), result);
      if (! run->lines[i])
        return FALSE;
    }
  return TRUE;
}

static gboolean
allocate_columns (BlurCpuRun *run, gsize rows)
{
  int i;

  run->columns = g_malloc0_n (run->threads, sizeof *run->columns);
  for (i = 0; i < run->threads; i++)
    if (! (run->columns[i] = g_try_malloc_n (rows, sizeof *run->columns[i])))
      return FALSE;
  return TRUE;
}

gboolean
blur_cpu_run_init (BlurCpuRun *run, const FxCpu *cpu, const FxPlan *plan, const FxStrip *strip,
                   int width, gsize column_rows, GError **error)
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
  run->kernel = blur_axis_get_kernel (&run->plan->cpu_y);
  return (allocate_lines (run) && allocate_columns (run, column_rows)) || fx_set_no_memory (error);
}

void
blur_cpu_run_clear (BlurCpuRun *run)
{
  int i;

  fx_team_free (run->team);
  for (i = 0; run->lines && i < run->threads * run->channels; i++)
    blur_line_free (run->lines[i]);
  for (i = 0; run->columns && i < run->threads; i++)
    g_free (run->columns[i]);
  g_free (run->columns);
  g_free (run->lines);
  g_free (run->kernel);
}

/* Along x. */

BlurLine **
blur_cpu_run_get_lines (const BlurCpuRun *run, int thread)
{
  return run->lines + thread * run->channels;
}

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

/* The result. */

/* Computes some rows of a block of columns, few enough to stay in the cache. column is the thread's
 * scratch space. */
static void
pull_block (const BlurCpuRun *run, int y, int count, gsize x, float (*column)[FX_COLUMN],
            guint8 *out)
{
  const FxCodec *codec = &run->base.plan->codec;
  gsize width = run->base.strip.x1 - run->base.strip.x0;
  gsize pixel = fx_format_size (&codec->format);
  float block[FX_CHANNELS_MAX][BLUR_CPU_ROWS][FX_COLUMN];
  int row, c;

  for (c = 0; c < run->channels; c++)
    run->fill (run, y, count, c * run->pitch + x, column, block[c]);
  for (row = 0; row < count; row++)
    {
      float *planes[] = { block[0][row], block[1][row], block[2][row], block[3][row] };

      fx_codec_encode (codec, planes, (int) MIN (FX_COLUMN, width - x),
                       out + (row * width + x) * pixel);
    }
}

static void
pull_blocks (gpointer data, int first, int end, int thread)
{
  const BlurCpuRun *run = data;
  gsize width = run->base.strip.x1 - run->base.strip.x0;
  gsize stride = width * fx_format_size (&run->base.plan->codec.format);
  int block, row;

  for (block = first; block < end; block++)
    for (row = 0; row < run->rows; row += BLUR_CPU_ROWS)
      pull_block (run, run->y + row, MIN (BLUR_CPU_ROWS, run->rows - row),
                  (gsize) block * FX_COLUMN, run->columns[thread], run->result + row * stride);
}

void
blur_cpu_run_pull (BlurCpuRun *run, gpointer result, int y, int rows)
{
  int width = run->base.strip.x1 - run->base.strip.x0;

  run->result = result;
  run->y = y;
  run->rows = rows;
  fx_team_run (run->team, (width + FX_COLUMN - 1) / FX_COLUMN, 1, pull_blocks, run);
}
