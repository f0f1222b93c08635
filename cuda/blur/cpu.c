/* The engine on the CPU, on all cores. Along y first where that shrinks the image, so that what
 * remains is cheap along x; each column block of a chunk stays in cache while its rows go by. */
#include "cpu-run.h"
#include "codec.h"

#include <glib/gi18n-lib.h>
#include <omp.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

#define ROWS          32                /* rows of the result at a time */
#define LARGE         ((gsize) 2 << 20) /* bytes of a large page */
#define THREAD_PIXELS 8192              /* of an image, for each thread */

/* On many cores some are left to the caller, and to those that it reads from and writes to. */
int
fx_cpu_get_threads (void)
{
  int cores = omp_get_num_procs ();

  return MIN (omp_get_max_threads (), cores - (cores + 4) / 8);
}

void
fx_cpu_report (FxReport *report)
{
  report->device = FX_DEVICE_CPU;
  g_snprintf (report->device_name, sizeof report->device_name, _("CPU, %d threads"),
              fx_cpu_get_threads ());
}

/* Threads that have too little to do cost more than they save, and keep cores from others. */
static int
get_threads (double pixels)
{
  return (int) CLAMP (pixels / THREAD_PIXELS, 1, fx_cpu_get_threads ());
}

/* Nanoseconds that an axis adds to a sample: by the FIR's taps, or, whatever the sigma, those of
 * multi-resolution. Measured on 1 and on 16 cores. */
static double
get_axis_cost (const BlurAxis *axis)
{
  return axis->n_stages ? 7.0 : 4.0 + 0.05 * (2.0 * axis->radius + 1.0);
}

double
fx_cpu_get_cost (const BlurPlan *plan, double pixels)
{
  double nanoseconds = get_axis_cost (&plan->x) + get_axis_cost (&plan->y);

  return 0.09 + pixels * plan->format.channels * nanoseconds / get_threads (pixels) / 1e6;
}

static void
cpu_end (FxRun *base)
{
  BlurCpuRun *run = (BlurCpuRun *) base;
  int i;

  for (i = 0; run->lines && i < run->threads * run->channels; i++)
    blur_line_free (run->lines[i]);
  for (i = 0; i < BLUR_STAGES_MAX; i++)
    g_free (run->grids[i].rows);
  for (i = 0; run->columns && i < run->threads; i++)
    g_free (run->columns[i]);
  g_free (run->columns);
  g_free (run->lines);
  g_free (run->ring);
  g_free (run->beyond);
  g_free (run->kernel);
  g_free (run);
}

/* Starting. */

/* Floats of a row's plane. Multi-resolution shrinks the image along y first. */
static gsize
get_pitch (const BlurPlan *plan, const FxStrip *strip)
{
  return fx_get_pitch (plan->y.n_stages ? strip->source_x1 - strip->source_x0
                                        : strip->x1 - strip->x0);
}

/* Floats of a row. An odd number of blocks, so that the rows that a column is summed from do not
 * all fall into the same few places of the cache. */
static gsize
get_row_size (const BlurPlan *plan, const FxStrip *strip)
{
  return (plan->format.channels * get_pitch (plan, strip) / BLUR_CPU_BLOCK | 1) * BLUR_CPU_BLOCK;
}

/* Rows of the ring, or of all grids. */
static gsize
get_rows (const BlurPlan *plan, const FxStrip *strip)
{
  FxSpan spans[BLUR_STAGES_MAX];

  return plan->y.n_stages ? blur_cpu_get_spans (plan, strip, spans)
                          : (gsize) fx_strip_get_ring_rows (plan, strip);
}

/* Rows of a block of columns: of the coarsest grid, or of the ring. */
static gsize
get_column_rows (const BlurPlan *plan, const FxStrip *strip)
{
  FxSpan spans[BLUR_STAGES_MAX];
  gsize rows = ROWS;

  if (plan->y.n_stages)
    {
      blur_cpu_get_spans (plan, strip, spans);
      rows = spans[plan->y.n_stages - 1].count;
    }
  return 2 * (rows + plan->y.radius);
}

static gsize
cpu_get_bytes (const BlurPlan *plan, const FxStrip *strip)
{
  gsize lines = (gsize) fx_cpu_get_threads () * plan->format.channels *
                blur_line_get_bytes (&plan->x, fx_strip_get_columns (strip));
  gsize columns = fx_cpu_get_threads () * get_column_rows (plan, strip) * BLUR_CPU_BLOCK *
                  sizeof (float);

  return lines + columns +
         (get_rows (plan, strip) + 1) * get_row_size (plan, strip) * sizeof (float);
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
      run->lines[i] = blur_line_new (&run->base.plan->x, fx_strip_get_columns (strip), result);
      if (! run->lines[i])
        return FALSE;
    }
  return TRUE;
}

/* In large pages where the system has them: a fault for each 4096 bytes of rows that live for one
 * run costs as much as the blur does. */
float *
blur_cpu_run_allocate_rows (const BlurCpuRun *run, gsize count)
{
  gsize size = count * run->row_size * sizeof (float);
  float *rows = g_try_malloc (size);

#ifdef MADV_HUGEPAGE
  if (rows && size >= LARGE)
    madvise ((gpointer) (((gsize) rows + LARGE - 1) / LARGE * LARGE), size / LARGE * LARGE - LARGE,
             MADV_HUGEPAGE);
#endif
  return rows;
}

static gboolean
allocate_columns (BlurCpuRun *run)
{
  gsize rows = get_column_rows (run->base.plan, &run->base.strip);
  int i;

  run->columns = g_malloc0_n (run->threads, sizeof *run->columns);
  for (i = 0; i < run->threads; i++)
    if (! (run->columns[i] = g_try_malloc_n (rows, sizeof *run->columns[i])))
      return FALSE;
  return TRUE;
}

static void
init_kernel (BlurCpuRun *run)
{
  const BlurAxis *axis = &run->base.plan->y;
  int k;

  run->kernel = g_new (float, 2 * axis->radius + 1);
  for (k = -axis->radius; k <= axis->radius; k++)
    run->kernel[k + axis->radius] = axis->weights[ABS (k)];
}

static void
init_beyond (BlurCpuRun *run)
{
  gsize i;
  int c;

  for (c = 0; c < run->channels; c++)
    for (i = 0; i < run->pitch; i++)
      run->beyond[c * run->pitch + i] = run->base.plan->beyond[c];
}

static gboolean
allocate (BlurCpuRun *run)
{
  run->beyond = g_try_new (float, run->row_size);
  run->ring = blur_cpu_run_allocate_rows (run, run->ring_rows);
  if (! run->beyond || ! run->ring)
    return FALSE;
  init_beyond (run);
  init_kernel (run);
  return allocate_lines (run) && allocate_columns (run) && blur_cpu_run_allocate_grids (run);
}

static FxRun *
cpu_begin (gpointer device, const BlurPlan *plan, const FxStrip *strip, GError **error)
{
  BlurCpuRun *run = g_new0 (BlurCpuRun, 1);

  run->base = (FxRun) { .backend = &fx_cpu_backend, .plan = plan, .strip = *strip };
  run->channels = plan->format.channels;
  run->threads = get_threads ((double) (strip->source_x1 - strip->source_x0) *
                              (strip->source_y1 - strip->source_y0));
  run->pitch = get_pitch (plan, strip);
  run->ring_rows = plan->y.n_stages ? 1 : fx_strip_get_ring_rows (plan, strip);
  run->row_size = get_row_size (plan, strip);
  if (allocate (run))
    return &run->base;
  g_set_error (error, FX_ERROR, FX_ERROR_MEMORY, _("There is not enough memory for the blur"));
  cpu_end (&run->base);
  return NULL;
}

/* Along x. */

/* What lies beyond one end of a line: at the image's edge by the abyss policy, else, where the
 * source goes on but is not needed, its last sample. */
static float
get_beyond (const BlurCpuRun *run, int channel, gboolean at_edge, float last)
{
  const BlurPlan *plan = run->base.plan;

  return at_edge && plan->abyss != FX_ABYSS_CLAMP ? plan->beyond[channel] : last;
}

/* Filters the lines that this thread has filled, a channel each, into a row. */
static void
filter_lines (const BlurCpuRun *run, BlurLine **lines, float *row)
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

void
blur_cpu_run_filter_rows (BlurCpuRun *run, float *rows, int count)
{
  gsize width = run->base.strip.source_x1 - run->base.strip.source_x0;
  int row;

#pragma omp parallel for num_threads(run->threads) schedule(dynamic, 1)
  for (row = 0; row < count; row++)
    {
      BlurLine **lines = run->lines + omp_get_thread_num () * run->channels;
      float *planes = rows + row * run->row_size;
      int c;

      for (c = 0; c < run->channels; c++)
        memcpy (blur_line_get_source (lines[c]), planes + c * run->pitch, width * sizeof (float));
      filter_lines (run, lines, planes);
    }
}

static void
push_into_ring (BlurCpuRun *run, const guint8 *source, int y, int rows)
{
  const FxStrip *strip = &run->base.strip;
  int width = strip->source_x1 - strip->source_x0;
  gsize stride = width * fx_format_size (&run->base.plan->format);
  int row;

#pragma omp parallel for num_threads(run->threads) schedule(dynamic, 4)
  for (row = 0; row < rows; row++)
    {
      BlurLine **lines = run->lines + omp_get_thread_num () * run->channels;
      float *planes[4];
      int c;

      for (c = 0; c < run->channels; c++)
        planes[c] = blur_line_get_source (lines[c]);
      fx_codec_decode (run->base.plan, source + row * stride, width, planes);
      filter_lines (run, lines, run->ring + (y + row) % run->ring_rows * run->row_size);
    }
}

static gboolean
cpu_push (FxRun *base, gconstpointer source, int y, int rows, GError **error)
{
  BlurCpuRun *run = (BlurCpuRun *) base;

  if (base->plan->y.n_stages)
    blur_cpu_run_push_into_grid (run, source, y, rows);
  else
    push_into_ring (run, source, y, rows);
  return TRUE;
}

/* The result. */

/* Where row y of the ring is; beyond the edge, what the abyss policy puts there. */
static const float *
get_ring_row (const BlurCpuRun *run, gint64 y)
{
  const FxStrip *strip = &run->base.strip;

  if ((y < 0 || y >= strip->height) && run->base.plan->abyss != FX_ABYSS_CLAMP)
    return run->beyond;
  return run->ring + CLAMP (y, 0, strip->height - 1) % run->ring_rows * run->row_size;
}

/* One channel of a block of columns of the result, count rows from y on. */
static void
filter_block (const BlurCpuRun *run, int y, int count, gsize offset,
              float (*column)[BLUR_CPU_BLOCK], float (*out)[BLUR_CPU_BLOCK])
{
  int radius = run->base.plan->y.radius;
  int row;

  for (row = 0; row < count + 2 * radius; row++)
    {
      gint64 n = (gint64) y - radius + row;

      blur_cpu_prefetch (get_ring_row (run, n + BLUR_CPU_AHEAD) + offset);
      memcpy (column[row], get_ring_row (run, n) + offset, sizeof column[row]);
    }
  fx_column_convolve (column, run->kernel, 2 * radius + 1, count, out);
}

/* ROWS rows of a block of columns, so that its part of the rows stays in cache. */
static void
pull_block (const BlurCpuRun *run, int y, int count, gsize x, guint8 *out)
{
  gsize width = run->base.strip.x1 - run->base.strip.x0;
  gsize pixel = fx_format_size (&run->base.plan->format);
  float (*column)[BLUR_CPU_BLOCK] = run->columns[omp_get_thread_num ()];
  float block[4][ROWS][BLUR_CPU_BLOCK];
  int row, c;

  for (c = 0; c < run->channels; c++)
    if (run->base.plan->y.n_stages)
      blur_cpu_run_interpolate_block (run, y, count, c * run->pitch + x, block[c]);
    else
      filter_block (run, y, count, c * run->pitch + x, column, block[c]);
  for (row = 0; row < count; row++)
    {
      float *planes[4] = { block[0][row], block[1][row], block[2][row], block[3][row] };

      fx_codec_encode (run->base.plan, planes, (int) MIN (BLUR_CPU_BLOCK, width - x),
                       out + (row * width + x) * pixel);
    }
}

static gboolean
cpu_pull (FxRun *base, gpointer result, int y, int rows, GError **error)
{
  BlurCpuRun *run = (BlurCpuRun *) base;
  int width = base->strip.x1 - base->strip.x0;
  gsize stride = width * fx_format_size (&base->plan->format);
  int x, row;

  if (base->plan->y.n_stages && ! run->solved)
    blur_cpu_run_solve (run);
#pragma omp parallel for num_threads(run->threads) schedule(dynamic, 1) private(row)
  for (x = 0; x < width; x += BLUR_CPU_BLOCK)
    for (row = 0; row < rows; row += ROWS)
      pull_block (run, y + row, MIN (ROWS, rows - row), x, (guint8 *) result + row * stride);
  return TRUE;
}

static gboolean
cpu_needs_all (const BlurPlan *plan)
{
  return plan->y.n_stages > 0;
}

const FxBackend fx_cpu_backend = {
  .needs_all = cpu_needs_all,
  .get_bytes = cpu_get_bytes,
  .begin = cpu_begin,
  .push = cpu_push,
  .pull = cpu_pull,
  .end = cpu_end,
};
