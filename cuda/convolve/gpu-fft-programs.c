/* The programs of a convolution by Fourier transforms. */
#include "gpu-fft.h"

#include "convolve-kernels.h"

#include <string.h>

/* Constants. */

/* Returns the tile of a case: the run's own for its areas, if it has one, or else the plan's. */
static const ConvolveGpuFftTile *
get_tile (const FxProgramCase *program_case, gboolean precise)
{
  const ConvolveGpuStrategy *gpu = &convolve_plan_get (program_case->plan)->strategy.gpu;

  if (precise)
    return &gpu->precise;
  return program_case->detail ? program_case->detail : &gpu->tile;
}

static void
define_length (int length, gboolean precise, GString *text)
{
  g_string_append_printf (text, "#define LENGTH %d\n", length);
  if (precise)
    g_string_append (text, "#define FFT_REAL double\n");
}

static void
define_tile (const FxProgramCase *program_case, gboolean precise, GString *text)
{
  const ConvolvePlan *plan = convolve_plan_get (program_case->plan);
  const ConvolveGpuStrategy *gpu = &plan->strategy.gpu;

  define_length (get_tile (program_case, precise)->columns, precise, text);
  g_string_append_printf (text, "#define PEAKS %d\n#define LARGE %d\n#define RECOMPUTES %d\n",
                          gpu->finds_peaks, plan->strategy.large, ! precise && gpu->recomputes);
}

static void
define_rows (const FxProgramCase *program_case, gboolean precise, GString *text)
{
  fx_define_source (program_case, text);
  define_tile (program_case, precise, text);
}

static void
define_columns (const FxProgramCase *program_case, gboolean precise, GString *text)
{
  define_length (get_tile (program_case, precise)->rows, precise, text);
  g_string_append_printf (text, "#define PLANES %d\n",
                          convolve_plan_get_planes (convolve_plan_get (program_case->plan)));
}

static void
define_fft_result (const FxProgramCase *program_case, gboolean precise, GString *text)
{
  convolve_define_result (program_case, text);
  define_tile (program_case, precise, text);
}

static void
define_spectrum (const FxProgramCase *program_case, gboolean precise, GString *text)
{
  define_length (get_tile (program_case, precise)->columns, precise, text);
}

#define DEFINE(what)                                                            \
  static void what##_single (const FxProgramCase *program_case, GString *text)  \
  {                                                                             \
    what (program_case, FALSE, text);                                           \
  }                                                                             \
  static void what##_precise (const FxProgramCase *program_case, GString *text) \
  {                                                                             \
    what (program_case, TRUE, text);                                            \
  }

DEFINE (define_rows)
DEFINE (define_columns)
DEFINE (define_fft_result)
DEFINE (define_spectrum)

/* Programs. */

const FxProgram convolve_program_fft[CONVOLVE_FFT_PROGRAMS] = {
  { "convolve-fft-rows", "fft-rows.cu", convolve_kernels_get_resource, define_rows_single },
  { "convolve-fft-columns", "fft-columns.cu", convolve_kernels_get_resource,
    define_columns_single },
  { "convolve-fft-result", "fft-result.cu", convolve_kernels_get_resource,
    define_fft_result_single },
  { "convolve-fft-spectrum", "fft-spectrum.cu", convolve_kernels_get_resource,
    define_spectrum_single },
};

const FxProgram convolve_program_fft_precise[CONVOLVE_FFT_PROGRAMS] = {
  { "convolve-fft-rows-precise", "fft-rows.cu", convolve_kernels_get_resource,
    define_rows_precise },
  { "convolve-fft-columns-precise", "fft-columns.cu", convolve_kernels_get_resource,
    define_columns_precise },
  { "convolve-fft-result-precise", "fft-result.cu", convolve_kernels_get_resource,
    define_fft_result_precise },
  { "convolve-fft-spectrum-precise", "fft-spectrum.cu", convolve_kernels_get_resource,
    define_spectrum_precise },
};

const FxProgram convolve_program_fft_recompute = { "convolve-fft-recompute", "fft-recompute.cu",
                                                   convolve_kernels_get_resource,
                                                   convolve_define_result };

int
convolve_gpu_fft_get_programs (const FxPlan *plan, FxVariants variants, const FxProgram **programs)
{
  const ConvolveStrategy *strategy = &convolve_plan_get (plan)->strategy;
  gboolean large = strategy->large;
  int n = 0, i;

  for (i = 0; i < CONVOLVE_FFT_PROGRAMS; i++)
    programs[n++] = &convolve_program_fft[i];
  for (i = 0; i < CONVOLVE_FFT_PROGRAMS && large && strategy->gpu.recomputes; i++)
    programs[n++] = &convolve_program_fft_precise[i];
  if (! large && strategy->gpu.finds_peaks)
    programs[n++] = &convolve_program_direct;
  if (! large && strategy->gpu.recomputes)
    programs[n++] = &convolve_program_fft_recompute;
  return n;
}

/* The run's kernels. */

/* Sets the run's tile to that for its areas if its programs are available, and otherwise to the
 * plan's. */
static gboolean
choose_area_tile (FftRun *run, GError **error)
{
  FxGpuRun *base = &run->base.base;
  const ConvolvePlan *plan = convolve_plan_get (base->base.plan);
  const ConvolveGpuFftTile *any = &plan->strategy.gpu.tile;
  const ConvolveGpuFftTile tile = convolve_strategy_choose_tile (plan, &base->base.strip);
  const FxProgram *programs[FX_PROGRAMS_MAX];
  gboolean done;

  run->single.tile = tile;
  if (tile.columns == any->columns && tile.rows == any->rows)
    return TRUE;
  convolve_gpu_fft_get_programs (base->base.plan, FX_VARIANTS_BOTH, programs);
  base->program_case.detail = &run->single.tile;
  if (! fx_gpu_run_specialise (base, CONVOLVE_FFT_PROGRAMS, programs, &done, error))
    return FALSE;
  if (! done)
    run->single.tile = *any;
  return TRUE;
}

gboolean
convolve_gpu_fft_find_kernels (FftRun *run, GError **error)
{
  FxKernel **kernels = run->base.base.kernels, *const *others = kernels + CONVOLVE_FFT_PROGRAMS;
  const ConvolveStrategy *strategy = &convolve_plan_get (run->base.base.base.plan)->strategy;

  run->precise.tile = strategy->gpu.precise;
  if (! choose_area_tile (run, error))
    return FALSE;
  memcpy (run->single.kernels, kernels, sizeof run->single.kernels);
  if (strategy->large)
    {
      if (strategy->gpu.recomputes)
        memcpy (run->precise.kernels, others, sizeof run->precise.kernels);
      return TRUE;
    }
  if (strategy->gpu.finds_peaks)
    run->direct_kernel = others[0];
  if (strategy->gpu.recomputes)
    run->recompute_kernel = others[1];
  return TRUE;
}
