/* The engine on the GPU: which kernels run over which rows.
 *
 * Along x first, for every row of the source as it goes by, into the ring: the FIR of the pixels, or
 * the first decimation. Then along y, from the ring: the FIR of the pixels, or the first decimation
 * into a grid that is kept whole. What an axis with stages has left to do is done on those grids. */
#include "device.h"

#include <glib/gi18n-lib.h>

/* As kernels/fir.cuh and kernels/multires.cu have them. */
#define RUN            8
#define ROWS           16
#define TILE           128
#define ROW_BLOCK      (ROWS * TILE / RUN)
#define COLUMN_BLOCK   128
#define CELL_BLOCK     256
#define CELL_TILE      512
#define FINISH_COLUMNS 128
#define FINISH_ROWS    8

/* As kernels/image.cuh has them. */

typedef struct {
  void *pixels;
  int x0, x1;
  int width;
} Source;

typedef struct {
  float *data;
  long long pitch;
  int slots, offset;
  int low, high;
  int beyond_low, beyond_high;
  int x_first, columns;
} Rows;

/* The grids along one axis: the pixels, then one a stage. */
typedef struct {
  const BlurAxis *axis;
  BlurSpan spans[BLUR_STAGES_MAX + 1];
  /* On the device: */
  float *decimate[BLUR_STAGES_MAX];
  float *interpolate[BLUR_STAGES_MAX];
  float *weights;
} Levels;

typedef struct {
  BlurRun base;
  BlurGpu *gpu;
  BlurProgram *fir;      /* NULL where it is not needed */
  BlurProgram *multires; /* likewise */
  Levels x, y;
  gsize pitch; /* of the ring and the grids */
  Rows ring;
  Rows grid; /* with stages along y: the finest grid, then what is left to finish */
  int next;  /* with stages along y: the first row of the finest grid not made yet */
  gboolean solved;
} GpuRun;

static unsigned
ceil_div (gsize a, gsize b)
{
  return (unsigned) ((a + b - 1) / b);
}

/* Sizes. */

static void
init_levels (Levels *levels, const BlurAxis *axis, BlurSpan source)
{
  int i;

  levels->axis = axis;
  levels->spans[0] = source;
  for (i = 0; i < axis->n_stages; i++)
    levels->spans[i + 1] = blur_stage_get_span (&axis->stages[i], levels->spans[i]);
}

/* The most samples of any grid of an axis with stages. */
static int
get_most (const Levels *levels)
{
  int most = 0, i;

  for (i = 1; i <= levels->axis->n_stages; i++)
    most = MAX (most, levels->spans[i].count);
  return most;
}

static gsize
get_pitch (const Levels *x, const BlurStrip *strip)
{
  return blur_plan_get_pitch (x->axis->n_stages ? get_most (x) : strip->x1 - strip->x0);
}

static int
get_ring_rows (const BlurPlan *plan, const BlurStrip *strip)
{
  if (plan->y.n_stages == 0)
    return blur_strip_get_ring_rows (plan, strip);
  return strip->chunk_rows + 2 * plan->y.stages[0].radius + 1;
}

/* Rows of each of the two grids. */
static int
get_grid_rows (const Levels *x, const Levels *y, const BlurStrip *strip)
{
  if (y->axis->n_stages)
    return get_most (y);
  return x->axis->n_stages ? strip->chunk_rows : 0;
}

static gsize
gpu_get_bytes (const BlurPlan *plan, const BlurStrip *strip)
{
  gsize columns = (gsize) (strip->source_x1 - strip->source_x0) + (strip->x1 - strip->x0);
  Levels x, y;

  init_levels (&x, &plan->x, blur_strip_get_columns (strip));
  init_levels (&y, &plan->y, blur_strip_get_rows (strip));
  return ((gsize) get_ring_rows (plan, strip) + 2 * (gsize) get_grid_rows (&x, &y, strip)) *
           get_pitch (&x, strip) * plan->format.channels * sizeof (float) +
         strip->chunk_rows * columns * blur_format_size (&plan->format);
}

/* Starting. */

static gboolean
allocate (GpuRun *run, GError **error)
{
  const BlurStrip *strip = &run->base.strip;
  gsize chunk = strip->chunk_rows * blur_format_size (&run->base.plan->format);
  gsize source = chunk * (strip->source_x1 - strip->source_x0);
  gsize result = chunk * (strip->x1 - strip->x0);
  gsize row = run->base.plan->format.channels * run->pitch * sizeof (float);
  gsize grid = get_grid_rows (&run->x, &run->y, strip) * row;
  BlurGpu *gpu = run->gpu;

  if (! blur_gpu_grow (gpu, BLUR_BUFFER_SOURCE, source, error) ||
      ! blur_gpu_grow (gpu, BLUR_BUFFER_RESULT, result, error) ||
      ! blur_gpu_grow (gpu, BLUR_BUFFER_RING, get_ring_rows (run->base.plan, strip) * row, error) ||
      ! blur_gpu_grow (gpu, BLUR_BUFFER_GRID_0, grid, error) ||
      ! blur_gpu_grow (gpu, BLUR_BUFFER_GRID_1, grid, error) ||
      ! blur_gpu_grow (gpu, BLUR_BUFFER_SOURCE_STAGING, source, error) ||
      ! blur_gpu_grow (gpu, BLUR_BUFFER_RESULT_STAGING, result, error))
    return FALSE;
  run->base.source = gpu->buffers[BLUR_BUFFER_SOURCE_STAGING].data;
  run->base.result = gpu->buffers[BLUR_BUFFER_RESULT_STAGING].data;
  return TRUE;
}

/* Appends the axis's weights to floats, or, where floats is NULL, only says where they will be, from
 * base on. Returns how many there are. */
static gsize
lay_out_weights (Levels *levels, float *base, GArray *floats)
{
  const BlurAxis *axis = levels->axis;
  gsize n = 0;
  int i;

  for (i = 0; i < axis->n_stages; i++)
    {
      const BlurStage *stage = &axis->stages[i];

      levels->decimate[i] = base + n;
      n += stage->radius + 1;
      levels->interpolate[i] = base + n;
      n += stage->factor * BLUR_ORDER;
      if (floats)
        {
          g_array_append_vals (floats, stage->decimate, stage->radius + 1);
          g_array_append_vals (floats, stage->interpolate, stage->factor * BLUR_ORDER);
        }
    }
  levels->weights = base + n;
  if (floats)
    g_array_append_vals (floats, axis->weights, axis->radius + 1);
  return n + axis->radius + 1;
}

/* The weights that kernels/multires.cu takes at run time. */
static gboolean
upload_weights (GpuRun *run, GError **error)
{
  g_autoptr (GArray) floats = g_array_new (FALSE, FALSE, sizeof (float));
  BlurGpu *gpu = run->gpu;
  gsize size = sizeof (float) * (lay_out_weights (&run->x, NULL, NULL) +
                                 lay_out_weights (&run->y, NULL, NULL));
  float *base;

  if (! blur_gpu_grow (gpu, BLUR_BUFFER_WEIGHTS, size, error))
    return FALSE;
  base = gpu->buffers[BLUR_BUFFER_WEIGHTS].data;
  base += lay_out_weights (&run->x, base, floats);
  lay_out_weights (&run->y, base, floats);
  return blur_gpu_check (cudaMemcpyAsync (gpu->buffers[BLUR_BUFFER_WEIGHTS].data, floats->data, size,
                                          cudaMemcpyHostToDevice, gpu->stream),
                         _("copy to the GPU"), error) &&
         blur_gpu_check (cudaStreamSynchronize (gpu->stream), _("copy to the GPU"), error);
}

static gboolean
load_programs (GpuRun *run, GError **error)
{
  const BlurPlan *plan = run->base.plan;

  if (plan->x.n_stages == 0 &&
      ! (run->fir = blur_gpu_get_program (run->gpu, plan, BLUR_PROGRAM_FIR, error)))
    return FALSE;
  if ((plan->x.n_stages || plan->y.n_stages) &&
      ! (run->multires = blur_gpu_get_program (run->gpu, plan, BLUR_PROGRAM_MULTIRES, error)))
    return FALSE;
  return ! run->multires || upload_weights (run, error);
}

/* The ring; which slot is which row is set for each use. */
static void
init_ring (GpuRun *run)
{
  const BlurPlan *plan = run->base.plan;
  const BlurStrip *strip = &run->base.strip;
  gboolean beyond = plan->abyss != BLUR_ABYSS_CLAMP;
  BlurSpan columns = { strip->x0, strip->x1 - strip->x0 };

  if (plan->x.n_stages)
    columns = run->x.spans[1];
  run->ring = (Rows) {
    .data = run->gpu->buffers[BLUR_BUFFER_RING].data,
    .pitch = (long long) run->pitch,
    .slots = get_ring_rows (plan, strip),
    .low = strip->source_y0,
    .high = strip->source_y1,
    .beyond_low = beyond && strip->source_y0 == 0,
    .beyond_high = beyond && strip->source_y1 == strip->height,
    .x_first = columns.first,
    .columns = columns.count,
  };
}

/* A whole grid in a buffer. */
static Rows
get_grid (const GpuRun *run, BlurBufferName buffer, BlurSpan columns, BlurSpan rows)
{
  return (Rows) {
    .data = run->gpu->buffers[buffer].data,
    .pitch = (long long) run->pitch,
    .slots = rows.count,
    .offset = -rows.first,
    .low = rows.first,
    .high = rows.first + rows.count,
    .x_first = columns.first,
    .columns = columns.count,
  };
}

static void
gpu_end (BlurRun *base)
{
  GpuRun *run = (GpuRun *) base;

  /* A run that stopped midway may have work under way in the buffers. */
  cudaStreamSynchronize (run->gpu->stream);
  g_free (run);
}

static BlurRun *
gpu_begin (gpointer device, const BlurPlan *plan, const BlurStrip *strip, GError **error)
{
  GpuRun *run = g_new0 (GpuRun, 1);

  run->base = (BlurRun) { .backend = &blur_gpu_backend, .plan = plan, .strip = *strip };
  run->gpu = device;
  init_levels (&run->x, &plan->x, blur_strip_get_columns (strip));
  init_levels (&run->y, &plan->y, blur_strip_get_rows (strip));
  run->pitch = get_pitch (&run->x, strip);
  if (! load_programs (run, error) || ! allocate (run, error))
    {
      gpu_end (&run->base);
      return NULL;
    }
  init_ring (run);
  if (plan->y.n_stages)
    {
      BlurSpan columns = { run->ring.x_first, run->ring.columns };

      run->grid = get_grid (run, BLUR_BUFFER_GRID_0, columns, run->y.spans[1]);
      run->next = run->grid.low;
    }
  return &run->base;
}

/* Kernels. */

/* Sets the ring so that row low and those after it are found. */
static void
turn_ring (GpuRun *run, int low)
{
  run->ring.offset = low % run->ring.slots - low;
}

static gboolean
filter_source (GpuRun *run, int y, int rows, GError **error)
{
  const BlurStrip *strip = &run->base.strip;
  const BlurStage *stage = &run->x.axis->stages[0];
  Source source = { run->gpu->buffers[BLUR_BUFFER_SOURCE].data, strip->source_x0, strip->source_x1,
                    strip->width };
  int factor = stage->factor, radius = stage->radius;
  void *fir_args[] = { &source, &run->ring, &y, &rows };
  void *multires_args[] = { &source, &run->ring, &y, &factor, &radius, &run->x.decimate[0] };

  turn_ring (run, y);
  if (run->x.axis->n_stages == 0)
    return blur_gpu_launch (run->gpu, run->fir, "filter_rows", ceil_div (run->ring.columns, TILE),
                            ceil_div (rows, ROWS), 1, ROW_BLOCK, fir_args, error);
  return blur_gpu_launch (run->gpu, run->multires, "decimate_source",
                          ceil_div (run->ring.columns, CELL_TILE / factor), rows, 1, CELL_BLOCK,
                          multires_args, error);
}

/* A kernel with a thread a sample, for count rows of to. */
static gboolean
launch_samples (GpuRun *run, const char *kernel, const Rows *to, int count, void **args,
                GError **error)
{
  return blur_gpu_launch (run->gpu, run->multires, kernel, count, ceil_div (to->columns, CELL_BLOCK),
                          run->base.plan->format.channels, CELL_BLOCK, args, error);
}

/* The rows of the finest grid along y that the source is complete for, up to row end. */
static gboolean
decimate_ring (GpuRun *run, int end, GError **error)
{
  const BlurStage *stage = &run->y.axis->stages[0];
  int factor = stage->factor, radius = stage->radius, first = run->next;
  void *args[] = { &run->ring, &run->grid, &first, &factor, &radius, &run->y.decimate[0] };

  while (run->next < run->grid.high &&
         (end == run->base.strip.source_y1 || run->next * factor + radius < end))
    run->next++;
  if (run->next == first)
    return TRUE;
  turn_ring (run, CLAMP (first * factor - radius, run->ring.low, run->ring.high - 1));
  return launch_samples (run, "decimate_y", &run->grid, run->next - first, args, error);
}

/* The buffer that a grid is not in. */
static BlurBufferName
get_other (const GpuRun *run, const Rows *grid)
{
  return grid->data == run->gpu->buffers[BLUR_BUFFER_GRID_0].data ? BLUR_BUFFER_GRID_1
                                                                  : BLUR_BUFFER_GRID_0;
}

typedef enum { ALONG_X, ALONG_Y } Direction;

/* From one grid to the next coarser along an axis, or to the next finer. */
static gboolean
step (GpuRun *run, Direction direction, gboolean finer, int stage, Rows *grid, GError **error)
{
  static const char *const kernels[2][2] = { { "decimate_x", "decimate_y" },
                                             { "interpolate_x", "interpolate_y" } };
  Levels *levels = direction == ALONG_X ? &run->x : &run->y;
  BlurSpan span = levels->spans[finer ? stage : stage + 1];
  BlurSpan columns = { grid->x_first, grid->columns };
  BlurSpan rows = { grid->low, grid->high - grid->low };
  Rows to = get_grid (run, get_other (run, grid), direction == ALONG_X ? span : columns,
                      direction == ALONG_X ? rows : span);
  int factor = levels->axis->stages[stage].factor, radius = levels->axis->stages[stage].radius;
  int first = to.low;
  void *up[] = { grid, &to, &factor, &levels->interpolate[stage] };
  void *down_x[] = { grid, &to, &factor, &radius, &levels->decimate[stage] };
  void *down_y[] = { grid, &to, &first, &factor, &radius, &levels->decimate[stage] };
  void **args = finer ? up : direction == ALONG_X ? down_x : down_y;

  if (! launch_samples (run, kernels[finer][direction], &to, to.high - to.low, args, error))
    return FALSE;
  *grid = to;
  return TRUE;
}

static gboolean
convolve (GpuRun *run, Direction direction, const Rows *from, Rows *to, GError **error)
{
  Levels *levels = direction == ALONG_X ? &run->x : &run->y;
  int radius = levels->axis->radius;
  int rows = to->high - to->low;
  void *args[] = { (void *) from, to, &radius, &levels->weights };

  if (direction == ALONG_X)
    return blur_gpu_launch (run->gpu, run->multires, "convolve_x", ceil_div (to->columns, TILE),
                            ceil_div (rows, ROWS), 1, ROW_BLOCK, args, error);
  return blur_gpu_launch (run->gpu, run->multires, "convolve_y", ceil_div (to->columns, COLUMN_BLOCK),
                          ceil_div (rows, RUN), 1, COLUMN_BLOCK, args, error);
}

/* The FIR of the coarsest grid along an axis. */
static gboolean
convolve_grid (GpuRun *run, Direction direction, Rows *grid, GError **error)
{
  Rows to = *grid;

  to.data = run->gpu->buffers[get_other (run, grid)].data;
  if (! convolve (run, direction, grid, &to, error))
    return FALSE;
  *grid = to;
  return TRUE;
}

/* From the finest grids down to the coarsest, through the FIRs, and up to the finest again. */
static gboolean
solve (GpuRun *run, Rows *grid, GError **error)
{
  int x = run->x.axis->n_stages, y = run->y.axis->n_stages;
  int i;

  for (i = 1; i < MAX (x, y); i++)
    if ((i < x && ! step (run, ALONG_X, FALSE, i, grid, error)) ||
        (i < y && ! step (run, ALONG_Y, FALSE, i, grid, error)))
      return FALSE;
  if ((x && ! convolve_grid (run, ALONG_X, grid, error)) ||
      (y && ! convolve_grid (run, ALONG_Y, grid, error)))
    return FALSE;
  for (i = MAX (x, y) - 1; i >= 1; i--)
    if ((i < y && ! step (run, ALONG_Y, TRUE, i, grid, error)) ||
        (i < x && ! step (run, ALONG_X, TRUE, i, grid, error)))
      return FALSE;
  return TRUE;
}

/* Result rows from the finest grid. */
static gboolean
finish (GpuRun *run, Rows *grid, int y, int rows, GError **error)
{
  const BlurStrip *strip = &run->base.strip;
  void *result = run->gpu->buffers[BLUR_BUFFER_RESULT].data;
  int x0 = strip->x0, width = strip->x1 - strip->x0;
  int factor_x = run->x.axis->n_stages ? run->x.axis->stages[0].factor : 1;
  int factor_y = run->y.axis->n_stages ? run->y.axis->stages[0].factor : 1;
  void *args[] = { grid, &x0, &width, &y, &rows, &factor_x, &run->x.interpolate[0], &factor_y,
                   &run->y.interpolate[0], &result };

  return blur_gpu_launch (run->gpu, run->multires, "finish", ceil_div (width, FINISH_COLUMNS),
                          ceil_div (rows, FINISH_ROWS), 1, FINISH_COLUMNS, args, error);
}

/* With stages along x alone: the ring through the FIR along y, then what is left along x. */
static gboolean
filter_chunk (GpuRun *run, int y, int rows, GError **error)
{
  BlurSpan columns = { run->ring.x_first, run->ring.columns };
  Rows grid = get_grid (run, BLUR_BUFFER_GRID_0, columns, (BlurSpan) { y, rows });

  turn_ring (run, MAX (run->ring.low, y - run->y.axis->radius));
  return convolve (run, ALONG_Y, &run->ring, &grid, error) && solve (run, &grid, error) &&
         finish (run, &grid, y, rows, error);
}

static gboolean
filter_result (GpuRun *run, int y, int rows, GError **error)
{
  void *result = run->gpu->buffers[BLUR_BUFFER_RESULT].data;
  void *args[] = { &run->ring, &y, &rows, &result };

  if (run->y.axis->n_stages)
    {
      if (! run->solved && ! solve (run, &run->grid, error))
        return FALSE;
      run->solved = TRUE;
      return finish (run, &run->grid, y, rows, error);
    }
  if (run->x.axis->n_stages)
    return filter_chunk (run, y, rows, error);
  turn_ring (run, MAX (run->ring.low, y - run->y.axis->radius));
  return blur_gpu_launch (run->gpu, run->fir, "filter_columns",
                          ceil_div (run->ring.columns, COLUMN_BLOCK), ceil_div (rows, RUN), 1,
                          COLUMN_BLOCK, args, error);
}

static gboolean
gpu_push (BlurRun *base, int y, int rows, GError **error)
{
  GpuRun *run = (GpuRun *) base;
  BlurGpu *gpu = run->gpu;
  gsize size = (gsize) rows * (base->strip.source_x1 - base->strip.source_x0) *
               blur_format_size (&base->plan->format);

  return blur_gpu_check (cudaMemcpyAsync (gpu->buffers[BLUR_BUFFER_SOURCE].data, base->source, size,
                                          cudaMemcpyHostToDevice, gpu->stream),
                         _("copy to the GPU"), error) &&
         blur_gpu_check (cudaEventRecord (gpu->uploaded, gpu->stream), _("record an event"), error) &&
         filter_source (run, y, rows, error) &&
         (base->plan->y.n_stages == 0 || decimate_ring (run, y + rows, error)) &&
         /* The caller fills the staging buffer next. */
         blur_gpu_check (cudaEventSynchronize (gpu->uploaded), _("copy to the GPU"), error);
}

static gboolean
gpu_pull (BlurRun *base, int y, int rows, GError **error)
{
  GpuRun *run = (GpuRun *) base;
  BlurGpu *gpu = run->gpu;
  gsize size = (gsize) rows * (base->strip.x1 - base->strip.x0) *
               blur_format_size (&base->plan->format);

  return filter_result (run, y, rows, error) &&
         blur_gpu_check (cudaMemcpyAsync (base->result, gpu->buffers[BLUR_BUFFER_RESULT].data, size,
                                          cudaMemcpyDeviceToHost, gpu->stream),
                         _("copy from the GPU"), error) &&
         blur_gpu_check (cudaStreamSynchronize (gpu->stream), _("run the blur"), error);
}

const BlurBackend blur_gpu_backend = {
  .get_bytes = gpu_get_bytes,
  .begin = gpu_begin,
  .push = gpu_push,
  .pull = gpu_pull,
  .end = gpu_end,
};
