#include "strategy.h"

#include "convolve-plan.h"
#include "trace.h"

/* Relative to the sum of the weights' magnitudes: the least sum of alpha that colour is divided by
 * after a transform in double precision. The division magnifies the errors of both sums: each has a
 * standard deviation of up to 7e-16 (gpu-fft-error.c), 4.5 deviations of the two together are
 * 4e-15, and colour may be off by 1e-5 where the curve is steepest, with a slope of 12.92. */
#define LEAST_ALPHA 6e-9

static float
get_least_alpha (const ConvolvePlan *plan)
{
  const ConvolveMatrix *alpha = plan->alpha_matrix ? plan->alpha_matrix : &plan->matrix;

  return plan->divides_by_alpha ? (float) (LEAST_ALPHA * alpha->magnitude) : 0.0f;
}

void
convolve_plan_choose (ConvolvePlan *plan, const ConvolveChoice *choice)
{
  plan->choice = *choice;
  plan->strategy = (ConvolveStrategy) {
    .large = convolve_matrix_is_large (&plan->matrix),
    .least_alpha = get_least_alpha (plan),
  };
  convolve_strategy_decide_cpu (plan);
  convolve_strategy_decide_gpu (plan);
}

void
convolve_trace_path (const ConvolvePlan *plan, const char *path)
{
  const ConvolveMatrix *matrix = &plan->matrix;
  const ConvolveCpuStrategy *cpu = &plan->strategy.cpu;
  const ConvolveGpuStrategy *gpu = &plan->strategy.gpu;
  const char *recomputing = plan->strategy.large ? ", recomputed in double precision"
                                                 : ", recomputed by sums";

  fx_trace (plan->base.filter->name, g_get_monotonic_time (), 0,
            "%dx%d, %d taps, rank %d: %s (CPU: FFT %.1f ns, else %.1f; GPU: FFT %.0f taps, sums "
            "%.0f%s)",
            matrix->rows, matrix->columns, matrix->taps, matrix->rank, path, cpu->fft_cost,
            cpu->sum_cost, gpu->fft_cost, gpu->sum_cost, gpu->recomputes ? recomputing : "");
}
