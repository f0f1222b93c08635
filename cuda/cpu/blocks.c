#include "cpu-blocks.h"

#include "error.h"

/* Work on a chunk, or on a row of its blocks. */
typedef struct {
  const FxCpuBlocks *run;
  const guint8 *source;
  guint8 *result;
  int y, rows;
} Chunk;

gpointer
fx_cpu_blocks_new (gsize size, gsize memory, const FxCpu *cpu, const FxPlan *plan,
                   const FxStrip *strip, GError **error)
{
  double pixels = (double) fx_cpu_blocks_get_width (strip) * (strip->y1 - strip->y0);
  float *floats = fx_cpu_allocate (memory / sizeof *floats + 1);
  FxCpuBlocks *run;

  if (! floats)
    {
      fx_set_no_memory (error);
      return NULL;
    }
  run = g_malloc0 (size);
  run->base = (FxRun) { .plan = plan, .strip = *strip };
  run->team = fx_team_new (fx_cpu_get_threads (cpu, pixels));
  run->memory = floats;
  return run;
}

void
fx_cpu_blocks_end (FxRun *base)
{
  FxCpuBlocks *run = (FxCpuBlocks *) base;

  fx_team_free (run->team);
  g_free (run->memory);
  g_free (run);
}

static void
decode_rows (gpointer data, int first, int end, int thread)
{
  const Chunk *chunk = data;
  const FxRun *run = &chunk->run->base;
  gsize stride = fx_cpu_blocks_get_source_width (&run->strip) *
                 fx_format_size (&run->plan->codec.format);
  int row;

  for (row = first; row < end; row++)
    chunk->run->decode (chunk->run, chunk->source + row * stride, chunk->y + row);
}

gboolean
fx_cpu_blocks_push (FxRun *base, gconstpointer source, int y, int rows, GError **error)
{
  const FxCpuBlocks *run = (const FxCpuBlocks *) base;
  Chunk chunk = { .run = run, .source = source, .y = y };

  fx_team_run (run->team, rows, 1, decode_rows, &chunk);
  return TRUE;
}

static void
filter_blocks (gpointer data, int first, int end, int thread)
{
  const Chunk *chunk = data;
  const FxCpuBlocks *run = chunk->run;
  const FxStrip *strip = &run->base.strip;
  gsize pixel = fx_format_size (&run->base.plan->codec.format);
  int width = fx_cpu_blocks_get_width (strip), i;

  for (i = first; i < end; i++)
    {
      int x = i * run->columns;
      const FxRect block = { strip->x0 + x, chunk->y, MIN (run->columns, width - x), chunk->rows };

      run->filter (run, &block, chunk->result + x * pixel, width * pixel);
    }
}

gboolean
fx_cpu_blocks_pull (FxRun *base, gpointer result, int y, int rows, GError **error)
{
  const FxCpuBlocks *run = (const FxCpuBlocks *) base;
  int width = fx_cpu_blocks_get_width (&base->strip), first;
  gsize stride = width * fx_format_size (&base->plan->codec.format);

  for (first = 0; first < rows; first += run->rows)
    {
      Chunk chunk = { .run = run,
                      .result = (guint8 *) result + first * stride,
                      .y = y + first,
                      .rows = MIN (run->rows, rows - first) };

      if (base->is_wanted && ! base->is_wanted (base->data, error))
        return FALSE;
      fx_team_run (run->team, (int) fx_ceil_div (width, run->columns), 1, filter_blocks, &chunk);
    }
  return TRUE;
}
