/* The contract of every plan, whatever its filter, format and image. */
#pragma once

#include "fuzz.h"
#include "plan.h"

/* Returns a number, mostly from least to most. */
double plans_take_between (FuzzInput *input, double least, double most);

/* A format, which need not be one. */
void plans_take_format (FuzzInput *input, FxFormat *format);

/* Checks that there is a plan if the parameters are valid and format is a format, or else an error.
 * Returns whether there is one. */
gboolean plans_check_made (const FxPlan *plan, gboolean valid, const FxFormat *format,
                           const GError *error);

/* Checks plan, a draft of it, and how it cuts an image taken from input. reach_max: pixels. Aborts
 * if it breaks a promise. */
void plans_check (const FxPlan *plan, int reach_max, FuzzInput *input);
