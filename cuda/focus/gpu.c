/* A focus blur on the GPU. All of a strip's source is decoded to floats, the coarser levels of the
 * pyramid are made of these, and then each pixel of the result sums a window of one level. */
#include "focus-kernels.h"
#include "gpu-levels.h"

/* A block filters BLOCK_COLUMNS x BLOCK_ROWS pixels, RUN of each thread. */
enum { RUN = 2, BLOCK_COLUMNS = 32, BLOCK_ROWS = FOCUS_THREADS / BLOCK_COLUMNS * RUN };

/* The cells that a pixel sums are on average as many as in a window with sides of so many cuts. */
#define RADII 3.0f

/* Programs. */

static void
define_run (const FxProgramCase *program_case, GString *text)
{
  focus_strength_define (program_case, text);
  g_string_append_printf (text, "#define RUN %d\n", RUN);
}

static const FxProgram program_decode = { "focus-decode", "decode.cu", focus_kernels_get_resource,
                                          define_run };
static const FxProgram program_gather = { "focus-gather", "gather.cu", focus_kernels_get_resource,
                                          define_run };

static int
focus_gpu_get_programs (const FxPlan *base, FxVariants variants, const FxProgram **programs)
{
  const FocusPlan *plan = (const FocusPlan *) base;

  programs[FOCUS_DECODE] = &program_decode;
  programs[FOCUS_GATHER] = &program_gather;
  return FOCUS_LEVELS + focus_levels_get_programs (plan, programs + FOCUS_LEVELS);
}

/* Memory. */

static gsize
focus_gpu_get_bytes (const FxPlan *base, const FxStrip *strip)
{
  const FocusPlan *plan = (const FocusPlan *) base;

  return focus_levels_get_bytes (plan, strip) + focus_strength_get_bytes (plan, strip);
}

static gboolean
focus_gpu_begin (FxGpuRun *base, GError **error)
{
  FocusGpuRun *run = (FocusGpuRun *) base;

  return focus_strength_begin (base, &run->strength, error) && focus_levels_begin (run, error);
}

/* The run. */

static gboolean
focus_gpu_push_part (FxGpuRun *base, const FxRect *part, gpointer data, GError **error)
{
  FocusGpuRun *run = (FocusGpuRun *) base;
  const FocusPlan *plan = (const FocusPlan *) base->base.plan;
  FocusPyramidArgs *pyramid = &run->pyramid;
  FocusArgs focus = plan->args;
  int top = part->y;
  FxLaunch launch = fx_gpu_get_launch (part, FOCUS_THREADS, 1, FOCUS_THREADS);
  void *args[] = { &base->source, &pyramid->cells[0],  &focus, &run->strength,
                   &top,          &pyramid->weights[0] };

  return fx_gpu_launch (base->gpu, base->kernels[FOCUS_DECODE], &launch, args, error);
}

/* Decodes rows of the source, and the margins above and below it with its outermost rows. */
static gboolean
focus_gpu_push (FxGpuRun *base, int y, int rows, GError **error)
{
  FocusGpuRun *run = (FocusGpuRun *) base;
  const FxStrip *strip = &base->base.strip;
  const FxGrid *grid = &run->pyramid.cells[0];
  int top = y == strip->source_y0 ? grid->y_first : y;
  int end = y + rows == strip->source_y1 ? grid->y_first + grid->rows : y + rows;
  const FxRect area = { grid->x_first, top, grid->columns, end - top };

  return fx_gpu_run_queue (base, &area, 1, 0, 1, focus_gpu_push_part, NULL, error);
}

static gboolean
focus_gpu_pull_part (FxGpuRun *base, const FxRect *part, gpointer data, GError **error)
{
  FocusGpuRun *run = (FocusGpuRun *) base;
  const FocusPlan *plan = (const FocusPlan *) base->base.plan;
  FocusArgs focus = plan->args;
  gpointer result = fx_gpu_run_get_row (base, part->y);
  int x = part->x, right = part->x + part->width, y = part->y, end = part->y + part->height;
  FxLaunch launch = fx_gpu_get_launch (part, BLOCK_COLUMNS, BLOCK_ROWS, FOCUS_THREADS);
  void *args[] = { &base->source, &run->pyramid,     &focus, &run->strength, &x, &right, &y, &end,
                   &base->area.x, &base->area.width, &result };

  return fx_gpu_launch (base->gpu, base->kernels[FOCUS_GATHER], &launch, args, error);
}

static gboolean
focus_gpu_pull (FxGpuRun *base, const FxRect *area, GError **error)
{
  FocusGpuRun *run = (FocusGpuRun *) base;
  const FocusPlan *plan = (const FocusPlan *) base->base.plan;
  int taps = (int) (RADII * RADII * plan->args.cut * plan->args.cut);

  if (! run->solved && ! focus_levels_solve (run, error))
    return FALSE;
  run->solved = TRUE;
  return fx_gpu_run_queue (base, area, taps, BLOCK_COLUMNS, BLOCK_ROWS, focus_gpu_pull_part, NULL,
                           error);
}

const FxGpuPath focus_gpu_path = {
  .size = sizeof (FocusGpuRun),
  .needs_all = TRUE,
  .get_source_rows = focus_strength_get_source_rows,
  .get_bytes = focus_gpu_get_bytes,
  .get_programs = focus_gpu_get_programs,
  .begin = focus_gpu_begin,
  .push = focus_gpu_push,
  .pull = focus_gpu_pull,
};
