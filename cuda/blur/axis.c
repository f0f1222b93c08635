#include "axis.h"

#include <math.h>

gboolean
blur_axis_is_identity (double sigma, int kernel_size)
{
  return sigma < BLUR_SIGMA_MIN || kernel_size == 1;
}

void
blur_axis_init_fir (BlurAxis *axis, double sigma, int radius)
{
  double sum = 1.0;

  axis->sigma = sigma;
  axis->reach = radius;
  axis->radius = radius;
  axis->weights = g_new (float, radius + 1);
  for (int k = radius; k > 0; k--) /* the small terms first */
    sum += 2.0 * exp (-0.5 * k * k / (sigma * sigma));
  axis->weights[0] = (float) (1.0 / sum);
  for (int k = 1; k <= radius; k++)
    axis->weights[k] = (float) (exp (-0.5 * k * k / (sigma * sigma)) / sum);
}

void
blur_axis_fill_kernel (const BlurAxis *axis, float *kernel)
{
  for (int k = -axis->radius; k <= axis->radius; k++)
    kernel[k + axis->radius] = axis->weights[ABS (k)];
}

void
blur_axis_clear (BlurAxis *axis)
{
  for (int i = 0; i < axis->n_stages; i++)
    {
      g_free (axis->stages[i].decimate);
      g_free (axis->stages[i].interpolate);
    }
  g_free (axis->weights);
}
