#include "cpu-run.h"
#if HAVE_CUDA
#include "blur-gpu.h"
#include "gpu-tile.h"
#endif

#include <math.h>

#define REACH_MIN        4.5
#define REACH_MIN_CURVED 5.0 /* if there is a curve */
#define REACH_MAX        6.0

/* Nanoseconds that an axis adds per sample: for the FIR, by its taps; for multi-resolution,
 * by a constant. These lie between measurements in memory alone and in GIMP, on 2 and 16 cores. */
#define TAP_COST      0.025
#define FIR_COST      1.5
#define MULTIRES_COST 3.5

/* Below these sigmas, the CPU applies the FIR even if multi-resolution is exact enough, because the
 * FIR takes less time: if the first stage decimates by 2, and by more. Measured on 2 cores, at
 * 8-bit, 16-bit and float: the times cross at 9 to 10 for a factor of 2, and at 7 to 8 for others.
 */
#define CPU_SIGMA_MIN_BY_2 9.5
#define CPU_SIGMA_MIN      7.5

/* Above this slope, a curve is steeper than sRGB's by more than the bounds leave room for. */
#define STEEP 20.0

/* Above this slope, a table is too steep in 8 bits, too: PQ's first level is 4e-8 of white. */
#define VERY_STEEP 1000.0

/* Returns the kernel's reach in sigmas. The mass of the tail that is cut off,
 *     Q(reach) = erfc (reach / sqrt (2)) / 2,
 * must not be visible in the stored result at the worst edge. There the curve magnifies an error at
 * a dark sample: sRGB's 12.92 times, a pure gamma of 2.2 in 8 bits 770 times. The division by the
 * least alpha at which colour counts, 8/255, magnifies it 32 times. The permitted shares of a level
 * leave room for rounding. For 8-bit, 99% of the samples must be equal, even if a whole line has
 * one value; the minimum reaches, at which Q is 0.001 levels, ensure that. The others must be
 * within 1e-5 of the range. Through a curve they reach as far as the contract's reference, because
 * the light of an HDR pixel grows with the 2.4th power of its value. */
static double
blur_plan_get_reach (const FxCodec *codec)
{
  FxCurve curve = codec->curve;
  double magnified = fx_codec_get_magnification (codec) *
                     (fx_format_has_alpha (&codec->format) ? 32.0 : 1.0);
  double allowed, reach;

  if (codec->format.sample == FX_SAMPLE_U8)
    allowed = 1.0 / 32.0 / 255.0;
  else if (codec->format.sample == FX_SAMPLE_U16)
    allowed = 0.6 / 65535.0;
  else if (curve == FX_CURVE_NONE)
    allowed = 1e-6;
  else
    return REACH_MAX;
  reach = curve == FX_CURVE_NONE ? REACH_MIN : REACH_MIN_CURVED;
  for (; reach < REACH_MAX; reach += 0.5)
    if (erfc (reach / G_SQRT2) / 2.0 * magnified <= allowed)
      break;
  return reach;
}

/* Returns the least sigma on the coarsest grid, in its cells. The error of multi-resolution
 * (multires.c) must not be visible either. At a ratio of 2, the error at a step is 1.2e-6: of 255
 * levels, that is 0.004 magnified 12.92 times, so that one sample in 250 there is rounded to its
 * neighbour, and 0.13 magnified 413 times. At 2.65 it is 1.1e-7, or 3.5e-6 divided by the least
 * alpha. At 3 it is 3.9e-8, one level of 65535 magnified 413 times. A steep curve needs a ratio
 * that is larger by one. */
static double
get_ratio (const FxCodec *codec)
{
  double magnification = fx_codec_get_magnification (codec);
  gboolean steep = magnification > STEEP;

  if (codec->format.sample == FX_SAMPLE_U8)
    return magnification > VERY_STEEP ? 4.0 : steep ? 3.0 : 2.0;
  if (codec->format.sample == FX_SAMPLE_U16)
    return steep ? 4.0 : 3.0;
  return codec->curve == FX_CURVE_NONE ? 2.65 : 4.0;
}

/* Leaves out taps of a longer explicit kernel, and of the shortest ones, that lie outside of the
 * largest reach: in single precision they do not change the sum of the others. Returns axis. */
static const BlurAxis *
init_axis (BlurAxis *axis, double sigma, int kernel_size, double reach, double ratio)
{
  int most = (int) (BLUR_REACH_MAX * sigma);

  if (blur_axis_is_identity (sigma, kernel_size))
    blur_axis_init_fir (axis, sigma, 0);
  else if (kernel_size > 0)
    blur_axis_init_fir (axis, sigma, MIN ((kernel_size - 1) / 2, most));
  else if (! blur_axis_init_multires (axis, sigma, ratio))
    blur_axis_init_fir (axis, sigma, MIN ((int) ceil (reach * sigma), most));
  return axis;
}

/* Returns the axis on the CPU: axis itself or, for another method, cpu. */
static const BlurAxis *
init_cpu_axis (BlurAxis *cpu, const BlurAxis *axis, double reach)
{
  double least = axis->stages[0].factor == 2 ? CPU_SIGMA_MIN_BY_2 : CPU_SIGMA_MIN;

  if (! axis->n_stages || axis->sigma >= least)
    return axis;
  blur_axis_init_fir (cpu, axis->sigma, (int) ceil (reach * axis->sigma));
  return cpu;
}

static void
init_axes (BlurPlan *plan)
{
  const BlurParams *params = &plan->params;
  double reach = blur_plan_get_reach (&plan->base.codec), ratio = get_ratio (&plan->base.codec);
  int size = params->kernel_size;

  plan->x = plan->y = init_axis (&plan->axes[0], params->sigma_x, size, reach, ratio);
  plan->cpu_x = plan->cpu_y = init_cpu_axis (&plan->axes[1], plan->x, reach);
  if (params->sigma_y == params->sigma_x) /* the usual case */
    return;
  plan->y = init_axis (&plan->axes[2], params->sigma_y, size, reach, ratio);
  plan->cpu_y = init_cpu_axis (&plan->axes[3], plan->y, reach);
}

static double
get_axis_cost (const BlurAxis *axis)
{
  return axis->n_stages ? MULTIRES_COST : FIR_COST + TAP_COST * (2.0 * axis->radius + 1.0);
}

static void
set_paths (BlurPlan *plan)
{
  FxPlan *base = &plan->base;

  base->cpu_cost = get_axis_cost (plan->cpu_x) + get_axis_cost (plan->cpu_y);
  base->cpu_path = plan->cpu_y->n_stages ? &blur_cpu_grids : &blur_cpu_fir;
#if HAVE_CUDA
  base->gpu_path = blur_plan_is_multires (base) ? &blur_gpu_grids
                   : blur_tile_fits (base)      ? &blur_gpu_fir
                                                : &blur_gpu_rows;
#endif
}

static const FxFilter filter;

static FxPlan *
blur_plan_make_plan (const BlurParams *params, const FxFormat *format)
{
  const FxCodec codec = fx_codec_new (format, params->light);
  BlurPlan *plan = g_new0 (BlurPlan, 1);

  fx_plan_init (&plan->base, &filter, &codec, params->abyss);
  plan->params = *params;
  init_axes (plan);
  set_paths (plan);
  plan->base.reach = (FxReach) { plan->x->reach, plan->x->reach, plan->y->reach, plan->y->reach };
  plan->base.identity = plan->x->reach == 0 && plan->y->reach == 0;
  return &plan->base;
}

FxPlan *
blur_plan_new (const BlurParams *params, const FxFormat *format, GError **error)
{
  if (! blur_params_check (params, error) || ! fx_format_check (format, error))
    return NULL;
  return blur_plan_make_plan (params, format);
}

/* The filter. */

static void
free_plan (FxPlan *base)
{
  BlurPlan *plan = (BlurPlan *) base;

  for (gsize i = 0; i < G_N_ELEMENTS (plan->axes); i++)
    blur_axis_clear (&plan->axes[i]);
  g_free (plan);
}

/* Scales the parameters with the pixels; an explicit kernel size stays odd. */
static FxPlan *
blur_plan_get_draft (const FxPlan *base, int level)
{
  BlurParams params = blur_plan_get (base)->params;

  params.sigma_x = ldexp (params.sigma_x, -level);
  params.sigma_y = ldexp (params.sigma_y, -level);
  if (params.kernel_size > 0)
    params.kernel_size = params.kernel_size >> level | 1;
  return blur_plan_make_plan (&params, &base->codec.format);
}

static const FxFilter filter = {
  .name = "gaussian-blur",
  .free = free_plan,
  .get_draft = blur_plan_get_draft,
};
