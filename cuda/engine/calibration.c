#include "calibration.h"

#include <math.h>

void
fx_calibration_add (FxCalibration *calibration, double estimate, double milliseconds)
{
  if (! (estimate > 0.0 && milliseconds > 0.0))
    return;
  calibration->last[calibration->runs++ % FX_CALIBRATION_RUNS] = (float) log2 (milliseconds /
                                                                               estimate);
}

static double
get_median (const float *x)
{
  return MAX (MIN (x[0], x[1]), MIN (MAX (x[0], x[1]), x[2]));
}

double
fx_calibration_expect (const FxCalibration *calibration, double estimate)
{
  return estimate * exp2 (get_median (calibration->last));
}

double
fx_calibration_expect_last (const FxCalibration *calibration, double estimate)
{
  double last = calibration
                  ->last[(calibration->runs + FX_CALIBRATION_RUNS - 1) % FX_CALIBRATION_RUNS];

  return estimate * exp2 (last);
}
