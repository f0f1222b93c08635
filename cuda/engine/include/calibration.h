/* Corrects estimates of how long a kind of work takes on a device by measurements. */
#pragma once

#include <glib.h>

#define FX_CALIBRATION_RUNS 3

/* If all is 0, nothing has been measured: estimates stay as they are. */
typedef struct {
  float last[FX_CALIBRATION_RUNS]; /* binary logarithms of the last times relative to their
                                      estimates */
  guint runs;                      /* how many were ever added */
} FxCalibration;

/* Adds a measurement. Ignores it unless both arguments are positive. */
void fx_calibration_add (FxCalibration *calibration, double estimate, double milliseconds);

/* Returns the expected milliseconds for an estimate: by the median of the last three measurements,
 * of which those still missing count as exact estimates. So a single outlier, such as a first run,
 * which allocates its memory, never counts, and a change counts as soon as two runs agree on it. */
double fx_calibration_expect (const FxCalibration *calibration, double estimate);

/* The same, by the last measurement alone. */
double fx_calibration_expect_last (const FxCalibration *calibration, double estimate);
