#include "gpu-run.h"
#include "invert-kernels.h"
#include "invert.h"

enum { COLUMNS = 128, ROWS = 8 }; /* of a block, which has a thread for each column */

static void
define_invert (const FxProgramCase *program_case, GString *text)
{
  fx_define_codec (text, &program_case->codec);
  fx_define_abyss (text, program_case->plan);
  g_string_append_printf (text, "#define COLUMNS %d\n#define ROWS %d\n", COLUMNS, ROWS);
}

static const FxProgram program = { "invert", "invert.cu", invert_kernels_get_resource,
                                   define_invert };

static int
invert_gpu_get_programs (const FxPlan *plan, FxVariants variants, const FxProgram **programs)
{
  programs[0] = &program;
  return 1;
}

static gboolean
invert_gpu_begin (FxGpuRun *run, GError **error)
{
  return TRUE;
}

/* first is the result's first row. */
static gboolean
pull_part (FxGpuRun *run, const FxRect *part, gpointer first, GError **error)
{
  int left = part->x, right = part->x + part->width, top = part->y, end = part->y + part->height;
  const InvertPlan *plan = (const InvertPlan *) run->base.plan;
  float factor = plan->factor, added = plan->added;
  gpointer result = fx_gpu_run_get_row (run, part->y, *(int *) first);
  FxLaunch launch = { .x = fx_ceil_div (part->width, COLUMNS),
                      .y = fx_ceil_div (part->height, ROWS),
                      .threads = COLUMNS };
  void *args[] = { &run->source, &factor, &added, &left, &right, &top, &end, &result };

  return fx_gpu_launch (run->gpu, run->kernels[0], &launch, args, error);
}

static gboolean
invert_gpu_pull (FxGpuRun *run, int y, int rows, GError **error)
{
  const FxRect area = fx_gpu_run_get_area (run, y, rows);

  return fx_gpu_run_queue (run, &area, 1, 0, ROWS, pull_part, &y, error);
}

const FxGpuPath invert_gpu = {
  .size = sizeof (FxGpuRun),
  .get_programs = invert_gpu_get_programs,
  .begin = invert_gpu_begin,
  .pull = invert_gpu_pull,
};
