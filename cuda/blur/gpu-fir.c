/* The FIR on the GPU, in one kernel. */
#include "blur-gpu.h"
#include "blur-kernels.h"
#include "gpu-tile.h"

/* Programs. */

static void
define_fir (const FxProgramCase *program_case, GString *text)
{
  fx_define_source (program_case, text);
  blur_define_tile (program_case, text);
}

static void
gpu_fir_append_weights (GString *text, const char *name, const BlurAxis *axis)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (text, "__constant__ float %s[%d] = {", name, axis->radius + 1);
  for (int k = 0; k <= axis->radius; k++)
    g_string_append_printf (text, "%s%sf,", k % 8 ? "" : "\n",
                            g_ascii_formatd (number, sizeof number, "%.9e", axis->weights[k]));
  g_string_append (text, "\n};\n");
}

static void
gpu_fir_define_specialised (const FxProgramCase *program_case, GString *text)
{
  const BlurPlan *plan = blur_plan_get (program_case->plan);

  define_fir (program_case, text);
  g_string_append_printf (text, "#define RADIUS_X %d\n#define RADIUS_Y %d\n", plan->x->radius,
                          plan->y->radius);
  gpu_fir_append_weights (text, "weights_x", plan->x);
  gpu_fir_append_weights (text, "weights_y", plan->y);
}

const FxProgram blur_program_fir = { "blur-fir", "fir.cu", blur_kernels_get_resource, define_fir };
const FxProgram blur_program_fir_specialised = { "blur-fir-specialised", "fir.cu",
                                                 blur_kernels_get_resource,
                                                 gpu_fir_define_specialised };

static int
gpu_fir_get_programs (const FxPlan *plan, FxVariants variants, const FxProgram **programs)
{
  programs[0] = variants == FX_VARIANTS_SPECIALISED ? &blur_program_fir_specialised
                                                    : &blur_program_fir;
  return 1;
}

/* The run. */

/* Uses the specialised program if it is available. Until it is compiled, the generic program, which
 * serves any weights, runs. */
static gboolean
gpu_fir_begin (FxGpuRun *run, GError **error)
{
  const FxProgram *specialised = &blur_program_fir_specialised;
  gboolean done;

  return fx_gpu_run_specialise (run, 1, &specialised, &done, error) &&
         blur_gpu_run_begin ((BlurGpuRun *) run, error);
}

static gboolean
gpu_fir_pull_part (FxGpuRun *run, const FxRect *part, gpointer data, GError **error)
{
  BlurGpuRun *blur = (BlurGpuRun *) run;
  BlurTaps *x = &blur->x.taps, *y = &blur->y.taps;
  int left = part->x, right = part->x + part->width, top = part->y, end = part->y + part->height;
  gpointer result = fx_gpu_run_get_row (run, part->y);
  int rows_a_block;
  void *args[] = { &run->source, x, y, &left, &right, &top, &end, &rows_a_block, &result };

  return fx_gpu_run_launch (run, run->kernels[0], blur_tile_get_launch (blur, x, y, part->width),
                            part->height, 2 * y->radius, RUN, &rows_a_block, args, error);
}

static gboolean
gpu_fir_pull (FxGpuRun *run, const FxRect *area, GError **error)
{
  const BlurGpuRun *blur = (BlurGpuRun *) run;
  int taps = blur_taps_count (&blur->x.taps) + blur_taps_count (&blur->y.taps);

  return fx_gpu_run_queue (run, area, taps, 0, RUN, gpu_fir_pull_part, NULL, error);
}

const FxGpuPath blur_gpu_fir = {
  .size = sizeof (BlurGpuRun),
  .get_programs = gpu_fir_get_programs,
  .begin = gpu_fir_begin,
  .pull = gpu_fir_pull,
};
