/* A focus blur with a lens on the GPU. All of a strip's source is summed along its rows, and then
 * each pixel of the result adds up what the pieces of its outline say. */
#include "focus-kernels.h"
#include "gpu-strength.h"

#include "kernels/lens-args.h"

#include <math.h>

/* A block filters BLOCK_COLUMNS x BLOCK_ROWS pixels. */
enum { BLOCK_COLUMNS = 32, BLOCK_ROWS = FOCUS_THREADS / BLOCK_COLUMNS };

/* A segment of the outline, in products of a sample. A pixel has 8 for each pixel of its radius. */
#define SEGMENT_COST 8

enum { SUMS, LENS, PROGRAMS };

typedef struct {
  FxGpuRun base;
  FocusStrength strength; /* in the image's pixels */
  FocusSums sums;
} FocusLensRun;

/* Programs. */

/* Returns whether sums are integers: exact, and half as large. */
static gboolean
has_integers (const FocusPlan *plan)
{
  return focus_plan_is_coarse (plan) && plan->args.keep_sharp == 0.0f;
}

static void
define_lens (const FxProgramCase *program_case, GString *text)
{
  const FocusPlan *plan = (const FocusPlan *) program_case->plan;

  focus_strength_define (program_case, text);
  g_string_append_printf (text, "#define INTEGERS %d\n#define MIRRORED %d\n", has_integers (plan),
                          plan->outline.mirrored);
}

static const FxProgram program_sums = { "focus-lens-sums", "lens-sums.cu",
                                        focus_kernels_get_resource, define_lens };
static const FxProgram program_lens = { "focus-lens", "lens.cu", focus_kernels_get_resource,
                                        define_lens };

/* Memory. */

/* Sets sums to those of a strip, without memory. */
static void
set_sums (const FocusPlan *plan, const FxStrip *strip, FocusSums *sums)
{
  const FxReach *reach = &plan->base.reach;

  *sums = (FocusSums) {
    .x_first = strip->x0 - reach->left - FOCUS_BESIDE,
    .columns = strip->x1 - strip->x0 + reach->left + reach->right + 2 * FOCUS_BESIDE + 1,
    .y_first = strip->y0 - reach->above,
    .rows = strip->y1 - strip->y0 + reach->above + reach->below,
    .scale = LENS_SCALE,
  };
  if (has_integers (plan))
    sums->scale = floorf ((float) G_MAXINT32 / ((float) (reach->left + FOCUS_BESIDE) *
                                                fx_codec_get_range (&plan->base.codec)));
}

/* Returns the bytes of one array of sums. */
static gsize
get_array_bytes (const FocusPlan *plan, const FocusSums *sums)
{
  int numbers = focus_plan_get_channels (plan);

  return fx_round_up ((gsize) sums->columns * sums->rows * (numbers == 3 ? 4 : numbers) *
                        sizeof (guint32),
                      16);
}

static gboolean
has_marks (const FocusPlan *plan)
{
  return fx_sample_get_maximum (plan->base.codec.format.sample) == 0;
}

/* Returns the bytes of all arrays. */
static gsize
get_sums_bytes (const FocusPlan *plan, const FocusSums *sums)
{
  int arrays = has_integers (plan) ? 1 : 2 + has_marks (plan);

  return arrays * get_array_bytes (plan, sums) + 16;
}

static gsize
lens_gpu_get_bytes (const FxPlan *base, const FxStrip *strip)
{
  const FocusPlan *plan = (const FocusPlan *) base;
  FocusSums sums;

  set_sums (plan, strip, &sums);
  return get_sums_bytes (plan, &sums) + focus_strength_get_bytes (plan, strip);
}

static gboolean
lens_gpu_begin (FxGpuRun *base, GError **error)
{
  static const int unmarked = 0;
  FocusLensRun *run = (FocusLensRun *) base;
  const FocusPlan *plan = (const FocusPlan *) base->base.plan;
  gsize bytes;
  char *memory;

  set_sums (plan, &base->base.strip, &run->sums);
  bytes = get_array_bytes (plan, &run->sums);
  memory = fx_gpu_get_buffer (base->gpu, FX_BUFFER_PATH_0, get_sums_bytes (plan, &run->sums),
                              error);
  if (! memory)
    return FALSE;
  run->sums.marked = (int *) memory;
  run->sums.sums = memory + 16;
  run->sums.rest = memory + 16 + (has_integers (plan) ? 0 : bytes);
  run->sums.marks = has_marks (plan) ? (unsigned *) (memory + 16 + 2 * bytes) : NULL;
  return fx_gpu_upload (base->gpu, run->sums.marked, &unmarked, sizeof unmarked, error) &&
         focus_strength_begin (base, &run->strength, error);
}

/* The run. */

static gboolean
lens_gpu_push_part (FxGpuRun *base, const FxRect *part, gpointer data, GError **error)
{
  FocusLensRun *run = (FocusLensRun *) base;
  FocusArgs focus = ((const FocusPlan *) base->base.plan)->args;
  FxHighlights highlights = base->base.plan->codec.highlights;
  int top = part->y;
  FxLaunch launch = { .x = 1, .y = part->height, .threads = FOCUS_THREADS };
  void *args[] = { &base->source, &run->sums, &focus, &run->strength, &top, &highlights };

  return fx_gpu_launch (base->gpu, base->kernels[SUMS], &launch, args, error);
}

/* Sums rows of the source, and what is beyond its edges. */
static gboolean
lens_gpu_push (FxGpuRun *base, int y, int rows, GError **error)
{
  FocusLensRun *run = (FocusLensRun *) base;
  const FxStrip *strip = &base->base.strip;
  const FocusSums *sums = &run->sums;
  int top = y == strip->source_y0 ? sums->y_first : y;
  int end = y + rows == strip->source_y1 ? sums->y_first + sums->rows : y + rows;
  const FxRect area = { sums->x_first, top, sums->columns, end - top };

  return fx_gpu_run_queue (base, &area, 1, 0, 1, lens_gpu_push_part, NULL, error);
}

static gboolean
lens_gpu_pull_part (FxGpuRun *base, const FxRect *part, gpointer data, GError **error)
{
  FocusLensRun *run = (FocusLensRun *) base;
  const FocusPlan *plan = (const FocusPlan *) base->base.plan;
  FocusArgs focus = plan->args;
  FocusOutline outline = plan->outline;
  FxHighlights highlights = plan->base.codec.highlights;
  gpointer result = fx_gpu_run_get_row (base, part->y);
  int x = part->x, right = part->x + part->width, y = part->y, end = part->y + part->height;
  FxLaunch launch = fx_gpu_get_launch (part, BLOCK_COLUMNS, BLOCK_ROWS, FOCUS_THREADS);
  void *args[] = { &base->source, &run->sums, &focus, &run->strength, &outline,          &x,
                   &right,        &y,         &end,   &base->area.x,  &base->area.width, &result,
                   &highlights };

  return fx_gpu_launch (base->gpu, base->kernels[LENS], &launch, args, error);
}

static gboolean
lens_gpu_pull (FxGpuRun *base, const FxRect *area, GError **error)
{
  const FocusPlan *plan = (const FocusPlan *) base->base.plan;
  int taps = SEGMENT_COST * 8 * (int) ceilf (plan->args.strength);

  return fx_gpu_run_queue (base, area, taps, BLOCK_COLUMNS, BLOCK_ROWS, lens_gpu_pull_part, NULL,
                           error);
}

const FxGpuPath focus_lens_gpu_path = {
  .size = sizeof (FocusLensRun),
  .needs_all = TRUE,
  .programs = { &program_sums, &program_lens },
  .get_source_rows = focus_strength_get_source_rows,
  .get_bytes = lens_gpu_get_bytes,
  .begin = lens_gpu_begin,
  .push = lens_gpu_push,
  .pull = lens_gpu_pull,
};
