/* The engine on the CPU, on all cores. Along y first where that shrinks the image, so that what
 * remains is cheap along x; each column block of a chunk stays in cache while its rows go by. */
#include "backend.h"
#include "filter.h"
#include "sample.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <omp.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

#define BLOCK      BLUR_COLUMN       /* columns that a thread works on at a time; divides the pitch */
#define ROWS       32                /* rows of the result at a time */
#define AHEAD      8                 /* rows from one that is read to the one that is fetched */
#define CACHE_LINE 16                /* floats */
#define LARGE      ((gsize) 2 << 20) /* bytes of a large page */
#define THREAD_PIXELS 8192           /* of an image, for each thread */

/* Rows of channels planes of pitch floats each. */
typedef struct {
  BlurSpan span;
  float *rows;
} Grid;

typedef struct {
  BlurRun base;
  int channels;
  int threads;
  gsize pitch;         /* floats of one plane of a row */
  gsize row_size;      /* floats of one row */
  BlurLine **lines;    /* one a thread and channel */
  float *ring;         /* FIR along y: row y, filtered along x, at slot y mod ring_rows */
  int ring_rows;
  float *beyond;       /* one such row, of what lies beyond the edge */
  float *kernel;       /* the weights of the FIR along y, all 2 radius + 1 of them */
  Grid grids[BLUR_STAGES_MAX]; /* multi-resolution along y: one a stage */
  float (**columns)[BLOCK];    /* one a thread: a block of columns, before and after the FIR */
  gboolean solved;             /* the grids hold the result, filtered along x too */
} CpuRun;

/* On many cores some are left to the caller, and to those that it reads from and writes to. */
int
blur_cpu_get_threads (void)
{
  int cores = omp_get_num_procs ();

  return MIN (omp_get_max_threads (), cores - (cores + 4) / 8);
}

/* Threads that have too little to do cost more than they save, and keep cores from others. */
static int
get_threads (double pixels)
{
  return (int) CLAMP (pixels / THREAD_PIXELS, 1, blur_cpu_get_threads ());
}

/* Taps of a FIR over the pixels; that of multi-resolution is over few of them. */
static double
count_taps (const BlurAxis *axis)
{
  return axis->n_stages ? 0.0 : 2.0 * axis->radius + 1.0;
}

/* Measured on 1 and on 16 cores: a sample costs about the same at any sigma, beside a FIR's taps. */
double
blur_cpu_get_cost (const BlurPlan *plan, double pixels)
{
  double nanoseconds = 8.0 + 0.05 * (count_taps (&plan->x) + count_taps (&plan->y));

  return 0.09 + pixels * plan->format.channels * nanoseconds / get_threads (pixels) / 1e6;
}

static void
cpu_end (BlurRun *run)
{
  CpuRun *cpu = (CpuRun *) run;
  int i;

  for (i = 0; cpu->lines && i < cpu->threads * cpu->channels; i++)
    blur_line_free (cpu->lines[i]);
  for (i = 0; i < BLUR_STAGES_MAX; i++)
    g_free (cpu->grids[i].rows);
  for (i = 0; cpu->columns && i < cpu->threads; i++)
    g_free (cpu->columns[i]);
  g_free (cpu->columns);
  g_free (cpu->lines);
  g_free (cpu->ring);
  g_free (cpu->beyond);
  g_free (cpu->kernel);
  g_free (cpu);
}

/* Starting. */

/* Floats of a row's plane. Multi-resolution shrinks the image along y first. */
static gsize
get_pitch (const BlurPlan *plan, const BlurStrip *strip)
{
  return blur_plan_get_pitch (plan->y.n_stages ? strip->source_x1 - strip->source_x0
                                               : strip->x1 - strip->x0);
}

/* Floats of a row. An odd number of blocks, so that the rows that a column is summed from do not all
 * fall into the same few places of the cache. */
static gsize
get_row_size (const BlurPlan *plan, const BlurStrip *strip)
{
  return (plan->format.channels * get_pitch (plan, strip) / BLOCK | 1) * BLOCK;
}

/* Rows of the ring, or of all grids. */
static gsize
get_rows (const BlurPlan *plan, const BlurStrip *strip)
{
  BlurSpan span = blur_strip_get_rows (strip);
  gsize rows = 0;
  int i;

  if (plan->y.n_stages == 0)
    return blur_strip_get_ring_rows (plan, strip);
  for (i = 0; i < plan->y.n_stages; i++)
    {
      span = blur_stage_get_span (&plan->y.stages[i], span);
      rows += span.count;
    }
  return rows;
}

/* Rows of a block of columns: of the coarsest grid, or of the ring. */
static gsize
get_column_rows (const BlurPlan *plan, const BlurStrip *strip)
{
  BlurSpan span = blur_strip_get_rows (strip);
  int i;

  for (i = 0; i < plan->y.n_stages; i++)
    span = blur_stage_get_span (&plan->y.stages[i], span);
  return 2 * ((gsize) (plan->y.n_stages ? span.count : ROWS) + plan->y.radius);
}

static gsize
cpu_get_bytes (const BlurPlan *plan, const BlurStrip *strip)
{
  gsize lines = (gsize) blur_cpu_get_threads () * plan->format.channels *
                blur_line_get_bytes (&plan->x, blur_strip_get_columns (strip));

  return lines + blur_cpu_get_threads () * get_column_rows (plan, strip) * BLOCK * sizeof (float) +
         (get_rows (plan, strip) + 1) * get_row_size (plan, strip) * sizeof (float);
}

static gboolean
allocate_lines (CpuRun *cpu)
{
  const BlurStrip *strip = &cpu->base.strip;
  BlurSpan result = { strip->x0, strip->x1 - strip->x0 };
  int i;

  cpu->lines = g_new0 (BlurLine *, cpu->threads * cpu->channels);
  for (i = 0; i < cpu->threads * cpu->channels; i++)
    {
      cpu->lines[i] = blur_line_new (&cpu->base.plan->x, blur_strip_get_columns (strip), result);
      if (! cpu->lines[i])
        return FALSE;
    }
  return TRUE;
}

/* NULL when memory runs out. In large pages where the system has them: a fault for each 4096 bytes of
 * rows that live for one run costs as much as the blur does. */
static float *
allocate_rows (const CpuRun *cpu, gsize count)
{
  gsize size = count * cpu->row_size * sizeof (float);
  float *rows = g_try_malloc (size);

#ifdef MADV_HUGEPAGE
  if (rows && size >= LARGE)
    madvise ((gpointer) (((gsize) rows + LARGE - 1) / LARGE * LARGE), size / LARGE * LARGE - LARGE,
             MADV_HUGEPAGE);
#endif
  return rows;
}

static gboolean
allocate_grid (CpuRun *cpu, Grid *grid, BlurSpan span)
{
  grid->span = span;
  grid->rows = allocate_rows (cpu, span.count);
  return grid->rows != NULL;
}

static gboolean
allocate_grids (CpuRun *cpu)
{
  const BlurAxis *axis = &cpu->base.plan->y;
  BlurSpan span = blur_strip_get_rows (&cpu->base.strip);
  int i;

  for (i = 0; i < axis->n_stages; i++)
    {
      span = blur_stage_get_span (&axis->stages[i], span);
      if (! allocate_grid (cpu, &cpu->grids[i], span))
        return FALSE;
    }
  return TRUE;
}

static gboolean
allocate_columns (CpuRun *cpu)
{
  gsize rows = get_column_rows (cpu->base.plan, &cpu->base.strip);
  int i;

  cpu->columns = g_malloc0_n (cpu->threads, sizeof *cpu->columns);
  for (i = 0; i < cpu->threads; i++)
    if (! (cpu->columns[i] = g_try_malloc_n (rows, sizeof *cpu->columns[i])))
      return FALSE;
  return TRUE;
}

static void
init_kernel (CpuRun *cpu)
{
  const BlurAxis *axis = &cpu->base.plan->y;
  int k;

  cpu->kernel = g_new (float, 2 * axis->radius + 1);
  for (k = -axis->radius; k <= axis->radius; k++)
    cpu->kernel[k + axis->radius] = axis->weights[ABS (k)];
}

static void
init_beyond (CpuRun *cpu)
{
  gsize i;
  int c;

  for (c = 0; c < cpu->channels; c++)
    for (i = 0; i < cpu->pitch; i++)
      cpu->beyond[c * cpu->pitch + i] = cpu->base.plan->beyond[c];
}

static gboolean
allocate (CpuRun *cpu)
{
  cpu->beyond = g_try_new (float, cpu->row_size);
  cpu->ring = allocate_rows (cpu, cpu->ring_rows);
  if (! cpu->beyond || ! cpu->ring)
    return FALSE;
  init_beyond (cpu);
  init_kernel (cpu);
  return allocate_lines (cpu) && allocate_columns (cpu) && allocate_grids (cpu);
}

static BlurRun *
cpu_begin (gpointer device, const BlurPlan *plan, const BlurStrip *strip, GError **error)
{
  CpuRun *cpu = g_new0 (CpuRun, 1);

  cpu->base = (BlurRun) { .backend = &blur_cpu_backend, .plan = plan, .strip = *strip };
  cpu->channels = plan->format.channels;
  cpu->threads = get_threads ((double) (strip->source_x1 - strip->source_x0) *
                              (strip->source_y1 - strip->source_y0));
  cpu->pitch = get_pitch (plan, strip);
  cpu->ring_rows = plan->y.n_stages ? 1 : blur_strip_get_ring_rows (plan, strip);
  cpu->row_size = get_row_size (plan, strip);
  if (allocate (cpu))
    return &cpu->base;
  g_set_error (error, BLUR_ERROR, BLUR_ERROR_MEMORY, _("There is not enough memory for the blur"));
  cpu_end (&cpu->base);
  return NULL;
}

/* Along x. */

/* What lies beyond one end of a line: at the image's edge by the abyss policy, else, where the source
 * goes on but is not needed, its last sample. */
static float
get_beyond (const CpuRun *cpu, int channel, gboolean at_edge, float last)
{
  const BlurPlan *plan = cpu->base.plan;

  return at_edge && plan->abyss != BLUR_ABYSS_CLAMP ? plan->beyond[channel] : last;
}

/* Filters the lines that this thread has filled, a channel each, into a row. */
static void
filter_lines (const CpuRun *cpu, BlurLine **lines, float *row)
{
  const BlurStrip *strip = &cpu->base.strip;
  int count = strip->source_x1 - strip->source_x0;
  int c;

  for (c = 0; c < cpu->channels; c++)
    {
      const float *source = blur_line_get_source (lines[c]);

      blur_line_filter (lines[c], get_beyond (cpu, c, strip->source_x0 == 0, source[0]),
                        get_beyond (cpu, c, strip->source_x1 == strip->width, source[count - 1]),
                        row + c * cpu->pitch);
    }
}

static void
push_into_ring (CpuRun *cpu, const guint8 *source, int y, int rows)
{
  const BlurStrip *strip = &cpu->base.strip;
  int width = strip->source_x1 - strip->source_x0;
  gsize stride = width * blur_format_size (&cpu->base.plan->format);
  int row;

#pragma omp parallel for num_threads (cpu->threads) schedule (dynamic, 4)
  for (row = 0; row < rows; row++)
    {
      BlurLine **lines = cpu->lines + omp_get_thread_num () * cpu->channels;
      float *planes[4];
      int c;

      for (c = 0; c < cpu->channels; c++)
        planes[c] = blur_line_get_source (lines[c]);
      blur_sample_decode (cpu->base.plan, source + row * stride, width, planes);
      filter_lines (cpu, lines, cpu->ring + (y + row) % cpu->ring_rows * cpu->row_size);
    }
}

/* Multi-resolution along y. */

/* The weight of source row y in a cell of the first grid. The first row stands for all above it, the
 * last for all below, unless the abyss policy puts something else there. */
static float
get_weight (const CpuRun *cpu, int cell, int y)
{
  const BlurStrip *strip = &cpu->base.strip;
  const BlurStage *stage = &cpu->base.plan->y.stages[0];
  gboolean clamp = cpu->base.plan->abyss == BLUR_ABYSS_CLAMP;
  int offset = y - cell * stage->factor;
  float sum = ABS (offset) <= stage->radius ? stage->decimate[ABS (offset)] : 0.0f;
  int k;

  if (y == strip->source_y0 && (clamp || y > 0))
    for (k = -stage->radius; k < MIN (offset, stage->radius + 1); k++)
      sum += stage->decimate[ABS (k)];
  if (y == strip->source_y1 - 1 && (clamp || y < strip->height - 1))
    for (k = MAX (offset, -stage->radius - 1) + 1; k <= stage->radius; k++)
      sum += stage->decimate[ABS (k)];
  return sum;
}

/* The weight of what lies beyond the edge in a cell of the first grid. */
static float
get_weight_beyond (const CpuRun *cpu, int cell)
{
  const BlurStage *stage = &cpu->base.plan->y.stages[0];
  gint64 y = (gint64) cell * stage->factor;
  float sum = 0.0f;
  int k;

  if (cpu->base.plan->abyss != BLUR_ABYSS_CLAMP)
    for (k = -stage->radius; k <= stage->radius; k++)
      if (y + k < 0 || y + k >= cpu->base.strip.height)
        sum += stage->decimate[ABS (k)];
  return sum;
}

/* The cells that source row y has a share in. */
static void
get_cells (const CpuRun *cpu, int y, int *first, int *last)
{
  const BlurStrip *strip = &cpu->base.strip;
  const BlurStage *stage = &cpu->base.plan->y.stages[0];
  BlurSpan span = cpu->grids[0].span;

  *first = -blur_floor_div (stage->radius - y, stage->factor);
  *last = blur_floor_div (y + stage->radius, stage->factor);
  if (y == strip->source_y0)
    *first = span.first;
  if (y == strip->source_y1 - 1)
    *last = span.first + span.count - 1;
}

/* The cells before this one have a share of a row above source row y. */
static int
get_fresh_cell (const CpuRun *cpu, int y)
{
  int first, last;

  if (y == cpu->base.strip.source_y0)
    return cpu->grids[0].span.first;
  get_cells (cpu, y - 1, &first, &last);
  return last + 1;
}

/* Columns x to x + n - 1 of a cell. */
static float *
get_cell (CpuRun *cpu, int cell, int x)
{
  return cpu->grids[0].rows + (cell - cpu->grids[0].span.first) * cpu->row_size + x;
}

/* A new cell holds what lies beyond the edge. */
static void
init_cell (CpuRun *cpu, int cell, int x, int n)
{
  float *out = get_cell (cpu, cell, x);
  float weight = get_weight_beyond (cpu, cell);
  int c, i;

  for (c = 0; c < cpu->channels; c++)
    for (i = 0; i < n; i++)
      out[c * cpu->pitch + i] = weight * cpu->base.plan->beyond[c];
}

/* A block of columns of a chunk of the source: decoded and shared out among the cells. */
static void
push_block (CpuRun *cpu, const guint8 *source, int y, int rows, int x, int n)
{
  const BlurStrip *strip = &cpu->base.strip;
  gsize pixel = blur_format_size (&cpu->base.plan->format);
  gsize stride = (strip->source_x1 - strip->source_x0) * pixel;
  const guint8 *pixels = source + x * pixel;
  float block[4][4 * BLOCK];
  float *planes[4] = { block[0], block[1], block[2], block[3] };
  int row, cell, first, last, c;

  for (row = 0; row < rows; row++)
    {
      blur_sample_decode (cpu->base.plan, pixels + row * stride, n, planes);
      get_cells (cpu, y + row, &first, &last);
      for (cell = get_fresh_cell (cpu, y + row); cell <= last; cell++)
        init_cell (cpu, cell, x, n);
      for (cell = first; cell <= last; cell++)
        {
          float *out = get_cell (cpu, cell, x);
          float weight = get_weight (cpu, cell, y + row);

          for (c = 0; c < cpu->channels; c++)
            blur_row_accumulate (block[c], weight, n, out + c * cpu->pitch);
        }
    }
}

static void
push_into_grid (CpuRun *cpu, const guint8 *source, int y, int rows)
{
  const BlurStrip *strip = &cpu->base.strip;
  int width = strip->source_x1 - strip->source_x0;
  int x;

#pragma omp parallel for num_threads (cpu->threads) schedule (dynamic, 1)
  for (x = 0; x < width; x += 4 * BLOCK)
    push_block (cpu, source, y, rows, x, MIN (4 * BLOCK, width - x));
}

static gboolean
cpu_push (BlurRun *run, gconstpointer source, int y, int rows, GError **error)
{
  CpuRun *cpu = (CpuRun *) run;

  if (run->plan->y.n_stages)
    push_into_grid (cpu, source, y, rows);
  else
    push_into_ring (cpu, source, y, rows);
  return TRUE;
}

/* Row n of a grid, the outermost standing for all further out. */
static const float *
get_grid_row (const CpuRun *cpu, const Grid *grid, int n)
{
  n = CLAMP (n - grid->span.first, 0, grid->span.count - 1);
  return grid->rows + n * cpu->row_size;
}

/* A block of a row that is soon to be read: going down columns, the processor does not see it coming. */
static void
prefetch (const float *block)
{
  int i;

  for (i = 0; i < BLOCK; i += CACHE_LINE)
    __builtin_prefetch (block + i);
}

/* to[n] = the sum over k of the stage's weights[|k|] from[n * factor + k]. */
static void
decimate_grid (CpuRun *cpu, const BlurStage *stage, const Grid *from, Grid *to)
{
  float kernel[BLUR_ORDER * (BLUR_FACTOR_MAX - 1) + 1];
  int taps = 2 * stage->radius + 1;
  int row, k;

  for (k = 0; k < taps; k++)
    kernel[k] = stage->decimate[ABS (k - stage->radius)];
#pragma omp parallel for num_threads (cpu->threads) schedule (dynamic, 1)
  for (row = 0; row < to->span.count; row++)
    {
      const float *rows[BLUR_ORDER * (BLUR_FACTOR_MAX - 1) + 1];
      int i;

      for (i = 0; i < taps; i++)
        rows[i] = get_grid_row (cpu, from, (to->span.first + row) * stage->factor + i -
                                           stage->radius);
      blur_rows_combine (rows, kernel, taps, cpu->row_size, to->rows + row * cpu->row_size);
    }
}

/* The FIR along y, in place, of a block of columns: by way of a copy that stays in cache. */
static void
convolve_block (CpuRun *cpu, Grid *grid, gsize x)
{
  const BlurAxis *axis = &cpu->base.plan->y;
  float (*column)[BLOCK] = cpu->columns[omp_get_thread_num ()];
  int count = grid->span.count, end = count + 2 * axis->radius;
  int row;

  for (row = 0; row < end; row++)
    {
      int n = grid->span.first + row - axis->radius;

      prefetch (get_grid_row (cpu, grid, n + AHEAD) + x);
      memcpy (column[row], get_grid_row (cpu, grid, n) + x, sizeof column[row]);
    }
  blur_column_convolve (column, cpu->kernel, 2 * axis->radius + 1, count, column + end);
  for (row = 0; row < count; row++)
    memcpy (grid->rows + row * cpu->row_size + x, column[end + row], sizeof column[row]);
}

static void
convolve_grid (CpuRun *cpu, Grid *grid)
{
  gsize x;

#pragma omp parallel for num_threads (cpu->threads) schedule (dynamic, 1)
  for (x = 0; x < cpu->row_size; x += BLOCK)
    convolve_block (cpu, grid, x);
}

/* The coarse rows and weights that make row y of the next finer grid. */
static const float *
get_taps (const CpuRun *cpu, const BlurStage *stage, const Grid *coarse, int y, const float **rows)
{
  int cell = blur_floor_div (y, stage->factor);
  int j;

  for (j = 0; j < BLUR_ORDER; j++)
    rows[j] = get_grid_row (cpu, coarse, cell + j - (BLUR_ORDER / 2 - 1));
  return stage->interpolate + (y - cell * stage->factor) * BLUR_ORDER;
}

static void
interpolate_grid (CpuRun *cpu, const BlurStage *stage, const Grid *from, Grid *to)
{
  int row;

#pragma omp parallel for num_threads (cpu->threads) schedule (dynamic, 4)
  for (row = 0; row < to->span.count; row++)
    {
      const float *rows[BLUR_ORDER];
      const float *weights = get_taps (cpu, stage, from, to->span.first + row, rows);

      blur_rows_combine (rows, weights, BLUR_ORDER, cpu->row_size, to->rows + row * cpu->row_size);
    }
}

/* Along x, in place: the rows become as wide as the result. */
static void
filter_grid (CpuRun *cpu, Grid *grid)
{
  gsize width = cpu->base.strip.source_x1 - cpu->base.strip.source_x0;
  int row;

#pragma omp parallel for num_threads (cpu->threads) schedule (dynamic, 1)
  for (row = 0; row < grid->span.count; row++)
    {
      BlurLine **lines = cpu->lines + omp_get_thread_num () * cpu->channels;
      float *planes = grid->rows + row * cpu->row_size;
      int c;

      for (c = 0; c < cpu->channels; c++)
        memcpy (blur_line_get_source (lines[c]), planes + c * cpu->pitch, width * sizeof (float));
      filter_lines (cpu, lines, planes);
    }
}

/* All of the source is in the first grid: down to the coarsest, through both FIRs, and up again. */
static void
solve (CpuRun *cpu)
{
  const BlurAxis *axis = &cpu->base.plan->y;
  int last = axis->n_stages - 1;
  int i;

  for (i = 1; i <= last; i++)
    decimate_grid (cpu, &axis->stages[i], &cpu->grids[i - 1], &cpu->grids[i]);
  filter_grid (cpu, &cpu->grids[last]);
  convolve_grid (cpu, &cpu->grids[last]);
  for (i = last; i >= 1; i--)
    interpolate_grid (cpu, &axis->stages[i], &cpu->grids[i], &cpu->grids[i - 1]);
  cpu->solved = TRUE;
}

/* The result. */

/* Where row y of the ring is; beyond the edge, what the abyss policy puts there. */
static const float *
get_ring_row (const CpuRun *cpu, gint64 y)
{
  const BlurStrip *strip = &cpu->base.strip;

  if ((y < 0 || y >= strip->height) && cpu->base.plan->abyss != BLUR_ABYSS_CLAMP)
    return cpu->beyond;
  return cpu->ring + CLAMP (y, 0, strip->height - 1) % cpu->ring_rows * cpu->row_size;
}

/* One channel of a block of columns of the result, count rows from y on. */

static void
filter_block (const CpuRun *cpu, int y, int count, gsize offset, float (*column)[BLOCK],
              float (*out)[BLOCK])
{
  int radius = cpu->base.plan->y.radius;
  int row;

  for (row = 0; row < count + 2 * radius; row++)
    {
      gint64 n = (gint64) y - radius + row;

      prefetch (get_ring_row (cpu, n + AHEAD) + offset);
      memcpy (column[row], get_ring_row (cpu, n) + offset, sizeof column[row]);
    }
  blur_column_convolve (column, cpu->kernel, 2 * radius + 1, count, out);
}

static void
interpolate_block (const CpuRun *cpu, int y, int count, gsize offset, float (*out)[BLOCK])
{
  const BlurStage *stage = &cpu->base.plan->y.stages[0];
  int row, k;

  for (row = 0; row < count; row++)
    {
      const float *rows[BLUR_ORDER];
      const float *weights = get_taps (cpu, stage, &cpu->grids[0], y + row, rows);

      prefetch (get_grid_row (cpu, &cpu->grids[0],
                              (y + row) / stage->factor + BLUR_ORDER / 2 + AHEAD) + offset);
      for (k = 0; k < BLUR_ORDER; k++)
        rows[k] += offset;
      blur_rows_combine (rows, weights, BLUR_ORDER, BLOCK, out[row]);
    }
}

/* ROWS rows of a block of columns, so that its part of the rows stays in cache. */
static void
pull_block (const CpuRun *cpu, int y, int count, gsize x, guint8 *out)
{
  gsize width = cpu->base.strip.x1 - cpu->base.strip.x0;
  gsize pixel = blur_format_size (&cpu->base.plan->format);
  float (*column)[BLOCK] = cpu->columns[omp_get_thread_num ()];
  float block[4][ROWS][BLOCK];
  int row, c;

  for (c = 0; c < cpu->channels; c++)
    if (cpu->base.plan->y.n_stages)
      interpolate_block (cpu, y, count, c * cpu->pitch + x, block[c]);
    else
      filter_block (cpu, y, count, c * cpu->pitch + x, column, block[c]);
  for (row = 0; row < count; row++)
    {
      float *planes[4] = { block[0][row], block[1][row], block[2][row], block[3][row] };

      blur_sample_encode (cpu->base.plan, planes, (int) MIN (BLOCK, width - x),
                          out + (row * width + x) * pixel);
    }
}

static gboolean
cpu_pull (BlurRun *run, gpointer result, int y, int rows, GError **error)
{
  CpuRun *cpu = (CpuRun *) run;
  int width = run->strip.x1 - run->strip.x0;
  gsize stride = width * blur_format_size (&run->plan->format);
  int x, row;

  if (run->plan->y.n_stages && ! cpu->solved)
    solve (cpu);
#pragma omp parallel for num_threads (cpu->threads) schedule (dynamic, 1) private (row)
  for (x = 0; x < width; x += BLOCK)
    for (row = 0; row < rows; row += ROWS)
      pull_block (cpu, y + row, MIN (ROWS, rows - row), x, (guint8 *) result + row * stride);
  return TRUE;
}

static gboolean
cpu_needs_all (const BlurPlan *plan)
{
  return plan->y.n_stages > 0;
}

const BlurBackend blur_cpu_backend = {
  .needs_all = cpu_needs_all,
  .get_bytes = cpu_get_bytes,
  .begin = cpu_begin,
  .push = cpu_push,
  .pull = cpu_pull,
  .end = cpu_end,
};
