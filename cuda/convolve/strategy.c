#include "strategy.h"

#include "convolve-plan.h"
#include "trace.h"

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
