#include "cpu-rows.h"

#include "vector.h"

#include <math.h>
#include <string.h>

#define COLORS_MAX 3

/* How pixels are compared. */
typedef enum { HARD_FLOATS, HARD_WORDS, SOFT } Comparison;

typedef float Sums[2 * COLORS_MAX][SELECTIVE_BLOCK]; /* of each colour times its weights, and of the
                                                        weights */

#define LANES 4
#define TARGET
#define NAME(name) name##_plain
#include "cpu-lanes.h"

#ifdef FX_AVX2
#define LANES      8
#define TARGET     FX_AVX2
#define NAME(name) name##_avx2
#include "cpu-lanes.h"

#define LANES      16
#define TARGET     FX_AVX512
#define NAME(name) name##_avx512
#include "cpu-lanes.h"
#endif

static Comparison
get_comparison (const SelectivePlan *plan)
{
  if (plan->params.edges == SELECTIVE_SOFT)
    return SOFT;
  return plan->compared == SELECTIVE_STORED && plan->base.codec.format.sample == FX_SAMPLE_U32
           ? HARD_WORDS
           : HARD_FLOATS;
}

typedef void (*Sum) (const SelectiveLayout *layout, const float *const *rows, int column,
                     Comparison comparison, float (*sums)[SELECTIVE_BLOCK]);

void
selective_window_filter (const SelectiveLayout *layout, const float *const *rows, int column,
                         float (*result)[SELECTIVE_BLOCK])
{
  static const Sum sum[] = {
    sum_plain,
#ifdef FX_AVX2
    sum_avx2,
    sum_avx512,
#endif
  };
  const SelectivePlan *plan = layout->plan;
  int radius = plan->window.radius, colors = layout->colors, i, c;
  const float *centre = rows[radius] + column + radius;
  const float *weights = centre + layout->weights * layout->pitch;
  Sums sums = { { 0.0f } };

  sum[fx_vector_get_unit ()](layout, rows, column, get_comparison (plan), sums);
  for (c = 0; c < colors; c++)
    for (i = 0; i < SELECTIVE_BLOCK; i++)
      {
        float mean = sums[c][i] / sums[colors + c][i];

        if (! plan->compares_others)
          mean = (mean + centre[c * layout->pitch + i]) * plan->window.unscale;
        result[c][i] = weights[i] > 0.0f ? mean : NAN;
      }
}
