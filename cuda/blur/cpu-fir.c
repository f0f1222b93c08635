/* The CPU path for an axis y without stages: each row of the source is filtered along x into a ring
 * of rows, and the result is filtered along y from the ring.
 *
 * The ring's rows are pixels of step floats (fx_interleave), because that makes a FIR along x fast.
 * They are cut into blocks of FX_COLUMN floats, and the rows of a block lie one after the other, so
 * that the FIR along y reads memory from start to end. */
#include "cpu-run.h"

#include "error.h"

#include <string.h>

#define GROUP 16                  /* blocks that are encoded together */
#define WIDE  (GROUP * FX_COLUMN) /* their floats per row */
#define TALL  8                   /* rows of the result at a time, which stay in the L1 cache */
#define PART  32                  /* rows of a group that a thread takes at a time */

/* A thread's buffers: a row of the source, and what lies beyond it; a row of planes, if axis x has
 * stages. */
typedef struct {
  float *row, *planes;
} Scratch;

typedef struct {
  BlurCpuRun base;
  int step;     /* floats per pixel */
  int n_blocks; /* an even number */
  float *ring;  /* row y of block b is in slot b * ring_rows + y mod ring_rows */
  int ring_rows;
  float beyond[FX_COLUMN]; /* such a row of the pixels beyond the edge */
  float *kernel;           /* all 2 radius + 1 weights of the FIR along x; NULL: it has stages */
  Scratch *scratch;        /* one per thread */
} Run;

/* The two blocks that fx_row_convolve computes at a time. */
static int
cpu_fir_get_blocks (const FxPlan *plan, const FxStrip *strip)
{
  gsize floats = (gsize) (strip->x1 - strip->x0) *
                 fx_interleave_get_step (plan->codec.format.channels);

  return (int) fx_ceil_div (floats, 2 * FX_COLUMN) * 2;
}

/* An odd number, so that the blocks of a row do not all map to the same few cache sets. */
static int
cpu_fir_get_ring_rows (const FxPlan *plan, const FxStrip *strip)
{
  return fx_strip_get_ring_rows (strip, &plan->reach) | 1;
}

/* Returns the floats of a thread's row: the source with what the FIR reads on each side. */
static gsize
cpu_fir_get_row_floats (const FxPlan *plan, const FxStrip *strip)
{
  const BlurAxis *axis = &blur_plan_get (plan)->cpu_x;
  gsize pixels = (gsize) (strip->source_x1 - strip->source_x0) + 2 * (gsize) axis->radius;

  return pixels * fx_interleave_get_step (plan->codec.format.channels) + 2 * FX_COLUMN;
}

/* Returns the floats of a thread's planes. */
static gsize
cpu_fir_get_planes_floats (const FxPlan *plan, const FxStrip *strip)
{
  if (blur_plan_get (plan)->cpu_x.n_stages == 0)
    return 0;
  return plan->codec.format.channels * fx_rows_get_pitch (strip->x1 - strip->x0);
}

static gsize
cpu_fir_get_column_rows (const FxPlan *plan)
{
  return TALL + 2 * (gsize) blur_plan_get (plan)->cpu_y.radius;
}

static gsize
cpu_fir_get_bytes (gconstpointer cpu, const FxPlan *plan, const FxStrip *strip)
{
  const FxCpu *c = cpu;
  gsize ring = (gsize) cpu_fir_get_blocks (plan, strip) * cpu_fir_get_ring_rows (plan, strip);
  gsize scratch = cpu_fir_get_row_floats (plan, strip) + cpu_fir_get_planes_floats (plan, strip);

  return blur_cpu_run_get_bytes (cpu, plan, strip, cpu_fir_get_column_rows (plan)) +
         (ring * FX_COLUMN + c->threads * scratch) * sizeof (float);
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
  int i;

  for (i = 0; run->scratch && i < run->base.threads; i++)
    {
      g_free (run->scratch[i].row);
      g_free (run->scratch[i].planes);
    }
  g_free (run->scratch);
  blur_cpu_run_clear (&run->base);
  g_free (run->ring);
  g_free (run->kernel);
  g_free (run);
}

static void
cpu_fir_init_beyond (Run *run)
{
  int i;

  for (i = 0; i < FX_COLUMN; i++)
    run->beyond[i] = run->base.base.plan->beyond[MIN (i % run->step, run->base.channels - 1)];
}

static gboolean
cpu_fir_allocate_scratch (Run *run)
{
  const FxPlan *plan = run->base.base.plan;
  const FxStrip *strip = &run->base.base.strip;
  int i;

  run->scratch = g_new0 (Scratch, run->base.threads);
  for (i = 0; i < run->base.threads; i++)
    {
      run->scratch[i].row = g_try_new0 (float, cpu_fir_get_row_floats (plan, strip));
      run->scratch[i].planes = g_try_new0 (float, cpu_fir_get_planes_floats (plan, strip) + 1);
      if (! run->scratch[i].row || ! run->scratch[i].planes)
        return FALSE;
    }
  return TRUE;
}

static gboolean
cpu_fir_allocate (Run *run, GError **error)
{
  run->ring = fx_cpu_allocate ((gsize) run->n_blocks * run->ring_rows * FX_COLUMN);
  if (! run->ring || ! cpu_fir_allocate_scratch (run))
    return fx_set_no_memory (error);
  cpu_fir_init_beyond (run);
  return TRUE;
}

static FxRun *
cpu_fir_begin (gpointer cpu, const FxPlan *plan, const FxStrip *strip, GError **error)
{
  Run *run = g_new0 (Run, 1);

  run->base.base.backend = &blur_cpu_fir;
  run->step = fx_interleave_get_step (plan->codec.format.channels);
  run->n_blocks = cpu_fir_get_blocks (plan, strip);
  run->ring_rows = cpu_fir_get_ring_rows (plan, strip);
  if (! blur_plan_get (plan)->cpu_x.n_stages)
    run->kernel = blur_axis_get_kernel (&blur_plan_get (plan)->cpu_x);
  if (blur_cpu_run_init (&run->base, cpu, plan, strip, strip->x1 - strip->x0,
                         cpu_fir_get_column_rows (plan), error) &&
      cpu_fir_allocate (run, error))
    return &run->base.base;
  end (&run->base.base);
  return NULL;
}

/* Along x. */

/* Returns row y of a block in the ring. */
static float *
get_slot (const Run *run, int block, int y)
{
  return run->ring + ((gsize) block * run->ring_rows + y % run->ring_rows) * FX_COLUMN;
}

/* Fills n pixels, and as many floats more, with the values beyond one end of a line. */
static void
fill_beyond (const Run *run, float *out, gsize n, int more, gboolean at_edge, const float *last)
{
  const float *values = at_edge && run->base.base.plan->abyss != FX_ABYSS_CLAMP ? run->beyond
                                                                                : last;
  gsize i;

  for (i = 0; i < n * run->step + more; i++)
    out[i] = values[i % run->step];
}

/* Interleaves the lines that a thread has decoded, and filters them into row y of the ring. */
static void
convolve_row (const Run *run, BlurLine **lines, float *row, int y)
{
  const FxStrip *strip = &run->base.base.strip;
  int width = strip->source_x1 - strip->source_x0, radius = run->base.plan->cpu_x.radius;
  float *first = row + (gsize) radius * run->step, *last = first + (gsize) (width - 1) * run->step;
  float *planes[FX_CHANNELS_MAX];
  int c;

  for (c = 0; c < run->base.channels; c++)
    planes[c] = blur_line_get_source (lines[c]);
  fx_interleave (planes, run->base.channels, width, first);
  fill_beyond (run, row, radius, 0, strip->source_x0 == 0, first);
  fill_beyond (run, last + run->step, radius, 2 * FX_COLUMN, strip->source_x1 == strip->width,
               last);
  fx_row_convolve (row + (gsize) (strip->x0 - strip->source_x0) * run->step, run->step, run->kernel,
                   2 * radius + 1, (gsize) run->n_blocks * FX_COLUMN, get_slot (run, 0, y),
                   (gsize) run->ring_rows * FX_COLUMN);
}

/* The same by multi-resolution, line by line. */
static void
filter_row (const Run *run, BlurLine **lines, float *row, float *filtered, int y)
{
  const FxStrip *strip = &run->base.base.strip;
  float *planes[FX_CHANNELS_MAX];
  int block, c;

  blur_cpu_run_filter_lines (&run->base, lines, filtered);
  for (c = 0; c < run->base.channels; c++)
    planes[c] = filtered + c * run->base.pitch;
  fx_interleave (planes, run->base.channels, strip->x1 - strip->x0, row);
  for (block = 0; block < run->n_blocks; block++)
    memcpy (get_slot (run, block, y), row + (gsize) block * FX_COLUMN, FX_COLUMN * sizeof (float));
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
  const Run *run = job->run;
  const FxStrip *strip = &run->base.base.strip;
  const FxCodec *codec = &run->base.base.plan->codec;
  BlurLine **lines = blur_cpu_run_get_lines (&run->base, thread);
  const Scratch *scratch = &run->scratch[thread];
  int width = strip->source_x1 - strip->source_x0;
  gsize stride = width * fx_format_size (&codec->format);
  float *planes[FX_CHANNELS_MAX];
  int row, c;

  for (c = 0; c < run->base.channels; c++)
    planes[c] = blur_line_get_source (lines[c]);
  for (row = first; row < end; row++)
    {
      fx_codec_decode (codec, job->source + row * stride, width, planes);
      if (run->kernel)
        convolve_row (run, lines, scratch->row, job->y + row);
      else
        filter_row (run, lines, scratch->row, scratch->planes, job->y + row);
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

/* Along y. */

/* Returns row y of a block; beyond the edge, the row that the abyss policy gives. */
static const float *
cpu_fir_get_row (const Run *run, int block, gint64 y)
{
  const FxStrip *strip = &run->base.base.strip;

  if ((y < 0 || y >= strip->height) && run->base.base.plan->abyss != FX_ABYSS_CLAMP)
    return run->beyond;
  return get_slot (run, block, (int) CLAMP (y, 0, strip->height - 1));
}

/* Returns rows y to y + count - 1 of a block one after the other: in the ring or, if they pass the
 * edge or the ring's end, copied into column. */
static const float (*get_column (const Run *run, int block, gint64 y, int count,
                                 float (*column)[FX_COLUMN]))[FX_COLUMN]
{
  int row;

  if (y >= 0 && y + count <= run->base.base.strip.height &&
      y % run->ring_rows + count <= run->ring_rows)
    return (const float (*)[FX_COLUMN]) get_slot (run, block, (int) y);
  for (row = 0; row < count; row++)
    memcpy (column[row], cpu_fir_get_row (run, block, y + row), sizeof column[row]);
  return (const float (*)[FX_COLUMN]) column;
}

typedef struct {
  const Run *run;
  guint8 *result;
  int y, rows;
} Pull;

/* Encodes one row of a group, which begins with pixel x. */
static void
encode_row (const Run *run, const float *filtered, int x, guint8 *row)
{
  const FxStrip *strip = &run->base.base.strip;
  const FxCodec *codec = &run->base.base.plan->codec;
  int n = MIN (WIDE / run->step, strip->x1 - strip->x0 - x);
  float block[FX_CHANNELS_MAX][WIDE];
  float *planes[] = { block[0], block[1], block[2], block[3] };

  fx_deinterleave (filtered, run->base.channels, n, planes);
  fx_codec_encode (codec, planes, n, row + x * fx_format_size (&codec->format));
}

/* Computes at most TALL rows of the result, from job->y + first on, for a group of blocks. */
static void
pull_rows (const Pull *job, int group, int first, int count, float (*column)[FX_COLUMN])
{
  const Run *run = job->run;
  const FxStrip *strip = &run->base.base.strip;
  int radius = run->base.plan->cpu_y.radius, x = group * (WIDE / run->step);
  gsize stride = (strip->x1 - strip->x0) * fx_format_size (&run->base.base.plan->codec.format);
  float filtered[TALL][WIDE];
  int block, row;

  for (block = group * GROUP; block < MIN ((group + 1) * GROUP, run->n_blocks); block++)
    fx_column_convolve (get_column (run, block, (gint64) job->y + first - radius,
                                    count + 2 * radius, column),
                        run->base.kernel, 2 * radius + 1, count,
                        filtered[0] + block % GROUP * FX_COLUMN, WIDE);
  for (row = 0; row < count && x < strip->x1 - strip->x0; row++)
    encode_row (run, filtered[row], x, job->result + (first + row) * stride);
}

static void
pull_parts (gpointer data, int first, int end, int thread)
{
  const Pull *job = data;
  int parts = (job->rows + PART - 1) / PART;
  int part, row;

  for (part = first; part < end; part++)
    {
      int y = part % parts * PART, stop = MIN (y + PART, job->rows);

      for (row = y; row < stop; row += TALL)
        pull_rows (job, part / parts, row, MIN (TALL, stop - row), job->run->base.columns[thread]);
    }
}

static gboolean
cpu_fir_pull (FxRun *base, gpointer result, int y, int rows, GError **error)
{
  Run *run = (Run *) base;
  Pull job = { run, result, y, rows };

  fx_team_run (run->base.team, (run->n_blocks + GROUP - 1) / GROUP * ((rows + PART - 1) / PART), 1,
               pull_parts, &job);
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
