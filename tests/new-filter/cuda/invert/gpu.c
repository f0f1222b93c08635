#include "gpu-run.h"
#include "invert-kernels.h"
#include "invert.h"

enum { COLUMNS = 128, ROWS = 8 }; /* of a block, which has a thread for each column */

static void
define_invert (const FxProgramCase *program_case, GString *text)
{
  fx_define_source (program_case, text);
  g_string_append_printf (text, "#define COLUMNS %d\n#define ROWS %d\n", COLUMNS, ROWS);
}

static const FxProgram program = { "invert", "invert.cu", invert_kernels_get_resource,
                                   define_invert };

static gboolean
pull_part (FxGpuRun *run, const FxRect *part, gpointer data, GError **error)
{
  int left = part->x, right = part->x + part->width, top = part->y, end = part->y + part->height;
  const InvertPlan *plan = (const InvertPlan *) run->base.plan;
  float factor = plan->factor, added = plan->added;
  gpointer result = fx_gpu_run_get_row (run, part->y);
  FxLaunch launch = fx_gpu_get_launch (part, COLUMNS, ROWS, COLUMNS);
  void *args[] = { &run->source, &factor, &added, &left, &right, &top, &end, &result };

  return fx_gpu_launch (run->gpu, run->kernels[0], &launch, args, error);
}

static gboolean
invert_gpu_pull (FxGpuRun *run, const FxRect *area, GError **error)
{
  return fx_gpu_run_queue (run, area, 1, 0, ROWS, pull_part, NULL, error);
}

const FxGpuPath invert_gpu = {
  .size = sizeof (FxGpuRun),
  .programs = { &program },
  .pull = invert_gpu_pull,
};
