/* The pace of a device: how long a kind of work takes it, relative to an estimate. */
#pragma once

#include <glib.h>

#define FX_PACE_TIMES 3

/* Zeros are a pace of which nothing is known: that of the estimate. */
typedef struct {
  float last[FX_PACE_TIMES]; /* binary logarithms of the last times relative to their estimates */
  guint times;               /* how many were added, of all time */
} FxPace;

/* Adds what took milliseconds. Both must be positive, or nothing is added. */
void fx_pace_add (FxPace *pace, double estimate, double milliseconds);

/* Returns the expected milliseconds of what is estimated so: by the median of the last three times.
 * Times that are not there yet are as estimated. So a single outlier, such as a first run, which
 * has to get its memory, never counts, and a change counts as soon as two times agree on it. */
double fx_pace_expect (const FxPace *pace, double estimate);

/* The same, by the last time alone. */
double fx_pace_recall (const FxPace *pace, double estimate);
