#include "cpu-lanes.h"

#include "vector.h"

#include <math.h>
#include <string.h>

static Comparison
get_comparison (const SelectivePlan *plan)
{
  if (plan->params.edges == SELECTIVE_SOFT)
    return SOFT;
  return plan->compared == SELECTIVE_STORED && plan->base.codec.format.sample == FX_SAMPLE_U32
           ? HARD_WORDS
           : HARD_FLOATS;
}

void
selective_window_filter (const SelectiveLayout *layout, const float *const *rows, int column,
                         float (*result)[SELECTIVE_BLOCK])
{
  static SelectiveSum *const sum[] = FX_OF_UNITS (selective_sum);
  const SelectivePlan *plan = layout->plan;
  int radius = plan->window.radius, colors = layout->colors;
  const float *centre = rows[radius] + column + radius;
  const float *weights = centre + layout->weights * layout->pitch;
  float sums[2 * COLORS_MAX][SELECTIVE_BLOCK] = { { 0.0f } };

  sum[fx_vector_get_unit ()](layout, rows, column, get_comparison (plan), sums);
  for (int c = 0; c < colors; c++)
    for (int i = 0; i < SELECTIVE_BLOCK; i++)
      {
        float mean = sums[c][i] / sums[colors + c][i];

        if (! plan->compares_others)
          mean = (mean + centre[c * layout->pitch + i]) * plan->window.unscale;
        result[c][i] = weights[i] > 0.0f ? mean : NAN;
      }
}
