/* The sum over a matrix's taps, on the GPU. */
#include "convolve-gpu.h"
#include "convolve-kernels.h"

typedef struct {
  ConvolveGpuRun base;
  ConvolveTile tile;
} DirectRun;

/* Programs. */

static void
define_tile (const FxProgramCase *program_case, const ConvolveTile *tile, GString *text)
{
  convolve_define_result (program_case, text);
  g_string_append_printf (text, "#define TILE %d\n#define GROUPS %d\n#define RUN %d\n",
                          tile->columns, tile->groups, tile->run);
}

static void
define_direct (const FxProgramCase *program_case, GString *text)
{
  const ConvolveTile tile = convolve_tile_choose (program_case);

  define_tile (program_case, &tile, text);
}

static gpointer
specialise_matrix (gpointer plan)
{
  return convolve_specialise (&((const ConvolvePlan *) plan)->matrix);
}

/* Each run needs the text, even if only to look its program up, so it is generated once per
 * plan. */
static const char *
get_specialised (const ConvolvePlan *plan)
{
  return g_once ((GOnce *) &plan->specialised, specialise_matrix, (gpointer) plan);
}

static void
gpu_direct_define_specialised (const FxProgramCase *program_case, GString *text)
{
  const ConvolveTile tile = convolve_tile_choose_specialised (program_case);

  define_tile (program_case, &tile, text);
  g_string_append (text, get_specialised (convolve_plan_get (program_case->plan)));
}

const FxProgram convolve_program_direct = { "convolve-direct", "direct.cu",
                                            convolve_kernels_get_resource, define_direct };
const FxProgram convolve_program_direct_specialised = { "convolve-direct-specialised", "direct.cu",
                                                        convolve_kernels_get_resource,
                                                        gpu_direct_define_specialised };

/* The run. */

/* A program that cannot be specialised stays generic, even if only specialised ones are allowed. */
static gboolean
gpu_direct_specialise (DirectRun *direct, GError **error)
{
  const FxProgram *program = &convolve_program_direct_specialised;
  FxGpuRun *run = &direct->base.base;
  const ConvolveTile tile = convolve_tile_choose_specialised (&run->program_case);
  gboolean done;

  if (! convolve_plan_get (run->base.plan)->strategy.gpu.specialises || tile.chunk == 0)
    return TRUE;
  if (! fx_gpu_run_specialise (run, 1, &program, &done, error))
    return FALSE;
  if (done)
    direct->tile = tile;
  return TRUE;
}

static gboolean
gpu_direct_begin (FxGpuRun *run, GError **error)
{
  DirectRun *direct = (DirectRun *) run;

  direct->tile = convolve_tile_choose (&run->program_case);
  if (! gpu_direct_specialise (direct, error) || ! convolve_gpu_run_begin (&direct->base, error))
    return FALSE;
  convolve_trace_path (convolve_plan_get (run->base.plan),
                       direct->tile.by_rows ? "taps, compiled in" : "taps, generic");
  return TRUE;
}

typedef struct {
  FxKernel *kernel;
  const ConvolveTile *tile;
} DirectWork;

static gboolean
gpu_direct_pull_part (FxGpuRun *run, const FxRect *part, gpointer data, GError **error)
{
  const DirectWork *work = data;
  const ConvolveTile *tile = work->tile;
  ConvolveGpuRun *base = (ConvolveGpuRun *) run;
  int left = part->x, right = part->x + part->width, top = part->y, end = part->y + part->height;
  int chunk = tile->chunk;
  gpointer result = fx_gpu_run_get_row (run, part->y);
  int threads = tile->columns * run->base.plan->codec.format.channels * tile->groups;
  FxLaunch launch = fx_gpu_get_launch (part, tile->columns, tile->groups * tile->run, threads);
  void *args[] = {
    &run->source, &base->taps, &base->after, &left,   &right,
    &top,         &end,        &chunk,       &result, convolve_gpu_run_get_highlights (run)
  };

  launch.shared = tile->shared;
  return fx_gpu_launch (run->gpu, work->kernel, &launch, args, error);
}

gboolean
convolve_gpu_run_queue_direct (ConvolveGpuRun *run, FxKernel *kernel, const ConvolveTile *tile,
                               const FxRect *area, GError **error)
{
  DirectWork work = { kernel, tile };

  return fx_gpu_run_queue (&run->base, area, run->taps.rows * run->taps.columns, 0,
                           tile->groups * tile->run, gpu_direct_pull_part, &work, error);
}

static gboolean
gpu_direct_pull (FxGpuRun *run, const FxRect *area, GError **error)
{
  DirectRun *direct = (DirectRun *) run;

  return convolve_gpu_run_queue_direct (&direct->base, run->kernels[0], &direct->tile, area, error);
}

const FxGpuPath convolve_gpu_direct = {
  .size = sizeof (DirectRun),
  .programs = { &convolve_program_direct },
  .begin = gpu_direct_begin,
  .pull = gpu_direct_pull,
};
