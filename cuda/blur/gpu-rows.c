/* The FIR on the GPU for weights that reach too far for the shared memory of one kernel: one axis
 * after the other, with a ring of rows between them. */
#include "blur-gpu.h"
#include "blur-kernels.h"
#include "gpu-levels.h"

typedef struct {
  BlurGpuRun base;
  FxGrid ring; /* rows filtered along x only */
} RowsRun;

/* Programs. */

enum {
  ALONG_X,
  ALONG_Y,
};

const FxProgram blur_program_rows = { "blur-rows", "rows.cu", blur_kernels_get_resource,
                                      fx_define_source };
const FxProgram blur_program_columns = { "blur-columns", "columns.cu", blur_kernels_get_resource,
                                         fx_define_source };

/* The run. */

static int
gpu_rows_get_source_rows (const FxPlan *plan, const FxStrip *strip)
{
  return 0;
}

static gsize
gpu_rows_get_bytes (const FxPlan *plan, const FxStrip *strip)
{
  return fx_gpu_get_grid_bytes (plan, strip->x1 - strip->x0,
                                fx_strip_get_ring_rows (strip, &plan->reach));
}

static gboolean
make_ring (RowsRun *rows, GError **error)
{
  FxGpuRun *run = &rows->base.base;
  const FxStrip *strip = &run->base.strip;
  gboolean has_border = run->base.plan->abyss != FX_ABYSS_CLAMP;
  FxSpan columns = { strip->x0, strip->x1 - strip->x0 };
  FxSpan slots = { 0, fx_strip_get_ring_rows (strip, &run->base.plan->reach) };

  if (! fx_gpu_run_get_grid (run, FX_BUFFER_PATH_0, columns, slots, &rows->ring, error))
    return FALSE;
  rows->ring.y_first = strip->source_y0;
  rows->ring.rows = strip->source_y1 - strip->source_y0;
  rows->ring.beyond_low = has_border && strip->source_y0 == 0;
  rows->ring.beyond_high = has_border && strip->source_y1 == strip->height;
  return TRUE;
}

static gboolean
gpu_rows_begin (FxGpuRun *run, GError **error)
{
  RowsRun *rows = (RowsRun *) run;

  return blur_gpu_run_begin (&rows->base, error) && make_ring (rows, error);
}

/* Rotates the ring so that row low and the rows after it are in their slots. */
static void
rotate_ring (FxGrid *ring, int low)
{
  ring->offset = low % ring->slots - low;
}

static gboolean
push_part (FxGpuRun *run, const FxRect *part, gpointer data, GError **error)
{
  RowsRun *rows = (RowsRun *) run;
  BlurTaps *taps = &rows->base.x.taps;
  int left = part->x - rows->ring.x_first, right = left + part->width;
  int first = part->y, end = part->y + part->height;
  FxLaunch launch = fx_gpu_get_launch (part, ROW_TILE, ROWS, ROW_THREADS);
  void *args[] = { &run->source, &rows->ring, &taps->weights, &taps->radius,
                   &left,        &right,      &first,         &end };

  return fx_gpu_launch (run->gpu, run->kernels[ALONG_X], &launch, args, error);
}

static gboolean
gpu_rows_push (FxGpuRun *run, int y, int rows, GError **error)
{
  RowsRun *own = (RowsRun *) run;
  const FxRect area = fx_gpu_run_get_area (run, y, rows);

  rotate_ring (&own->ring, y);
  return fx_gpu_run_queue (run, &area, blur_taps_count (&own->base.x.taps), ROW_TILE, ROWS,
                           push_part, NULL, error);
}

static gboolean
gpu_rows_pull_part (FxGpuRun *run, const FxRect *part, gpointer data, GError **error)
{
  RowsRun *rows = (RowsRun *) run;
  FxGrid *ring = &rows->ring;
  BlurTaps *taps = &rows->base.y.taps;
  int left = part->x - ring->x_first, right = left + part->width;
  int y = part->y, end = part->y + part->height;
  gpointer result = fx_gpu_run_get_row (run, part->y);
  FxLaunch launch = fx_gpu_get_launch (part, COLUMNS, RUN,
                                       COLUMNS * run->base.plan->codec.format.channels);
  void *args[] = { ring, &taps->weights, &taps->radius, &left, &right, &y, &end, &result };

  rotate_ring (ring, MAX (ring->y_first, y - taps->radius));
  return fx_gpu_launch (run->gpu, run->kernels[ALONG_Y], &launch, args, error);
}

static gboolean
gpu_rows_pull (FxGpuRun *run, const FxRect *area, GError **error)
{
  const BlurTaps *taps = &((BlurGpuRun *) run)->y.taps;

  return fx_gpu_run_queue (run, area, blur_taps_count (taps), COLUMNS, RUN, gpu_rows_pull_part,
                           NULL, error);
}

const FxGpuPath blur_gpu_rows = {
  .size = sizeof (RowsRun),
  .get_source_rows = gpu_rows_get_source_rows,
  .get_bytes = gpu_rows_get_bytes,
  .programs = { [ALONG_X] = &blur_program_rows, [ALONG_Y] = &blur_program_columns },
  .begin = gpu_rows_begin,
  .push = gpu_rows_push,
  .pull = gpu_rows_pull,
};
