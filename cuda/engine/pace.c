#include "pace.h"

#include <math.h>

void
fx_pace_add (FxPace *pace, double estimate, double milliseconds)
{
  if (! (estimate > 0.0 && milliseconds > 0.0))
    return;
  pace->last[pace->times++ % FX_PACE_TIMES] = (float) log2 (milliseconds / estimate);
}

static double
get_median (const float *x)
{
  return MAX (MIN (x[0], x[1]), MIN (MAX (x[0], x[1]), x[2]));
}

double
fx_pace_expect (const FxPace *pace, double estimate)
{
  return estimate * exp2 (get_median (pace->last));
}

double
fx_pace_recall (const FxPace *pace, double estimate)
{
  double last = pace->last[(pace->times + FX_PACE_TIMES - 1) % FX_PACE_TIMES];

  return estimate * exp2 (last);
}
