/* Chooses the CPU path for a matrix, and estimates its cost. */
#include "cpu-fft.h"

/* SAMPLE_COST is nanoseconds per sample. PRODUCT_COST is the fixed cost of a product, in taps, and
 * PRODUCT_TIMES the cost of each of its taps, relative to other taps. Measured. */
#define SAMPLE_COST   2.0
#define PRODUCT_COST  5.0
#define PRODUCT_TIMES 1.7

/* The part of the other paths' cost that an FFT may have: they are more exact. */
#define FFT_SHARE 0.8

/* Returns how many products cost less than a sum over the taps; 0: none. */
static int
choose_products (const ConvolvePlan *plan)
{
  const ConvolveMatrix *matrix = &plan->matrix;

  /* Products cancel if a weight is 0, but not for infinities. */
  if (plan->weights || (matrix->rank > 1 && plan->base.codec.format.sample >= FX_SAMPLE_HALF))
    return 0;
  return convolve_matrix_choose_products (matrix, PRODUCT_COST, PRODUCT_TIMES);
}

/* Returns the nanoseconds per sample of the cheapest path without FFT. */
static double
get_sum_cost (const ConvolvePlan *plan)
{
  const ConvolveMatrix *matrix = &plan->matrix;
  int products = choose_products (plan);
  double taps = products * (PRODUCT_COST + PRODUCT_TIMES * (matrix->rows + matrix->columns));

  return CONVOLVE_TAP_COST * (products ? taps : matrix->taps);
}

gboolean
convolve_cpu_uses_fft (const ConvolvePlan *plan)
{
  return convolve_fft_get_cost (plan) < FFT_SHARE * get_sum_cost (plan) &&
         convolve_fft_is_exact (plan);
}

int
convolve_cpu_get_products (const ConvolvePlan *plan)
{
  return convolve_cpu_uses_fft (plan) ? 0 : choose_products (plan);
}

double
convolve_get_cpu_cost (const FxPlan *base)
{
  const ConvolvePlan *plan = convolve_plan_get (base);

  return SAMPLE_COST +
         (convolve_cpu_uses_fft (plan) ? convolve_fft_get_cost (plan) : get_sum_cost (plan));
}
