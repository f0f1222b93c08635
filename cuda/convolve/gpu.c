#include "convolve-gpu.h"
#include "gpu-fft-tile.h"
#include "paths.h"
#include "specialise.h"

/* How many times as long transforms take if results are recomputed: measured with a matrix of 15x15
 * to 21x21 and a picture of which some is nearly transparent. */
#define MEND_COST 1.5

/* Taps that can be compiled in are faster. The sum over those of a large matrix takes too long. */
gboolean
convolve_gpu_uses_fft (const ConvolvePlan *plan)
{
  double times = convolve_gpu_fft_may_mend (plan) ? MEND_COST : 1.0;

  if (convolve_matrix_is_large (&plan->matrix))
    return TRUE;
  if (plan->choice.path != CONVOLVE_PATH_CHEAPEST)
    return plan->choice.path == CONVOLVE_PATH_FFT && convolve_gpu_fft_is_exact (plan);
  return plan->matrix.taps > CONVOLVE_SPECIALISED_TAPS && ! convolve_gpu_get_products (plan) &&
         convolve_gpu_fft_is_exact (plan) &&
         convolve_gpu_fft_get_cost (plan) * times < plan->matrix.taps;
}

const FxGpuPath *
convolve_get_gpu_path (const FxPlan *base)
{
  const ConvolvePlan *plan = convolve_plan_get (base);

  if (convolve_gpu_uses_fft (plan))
    return &convolve_gpu_fft;
  return convolve_gpu_get_products (plan) ? &convolve_gpu_products : &convolve_gpu_direct;
}
