/* The contract of every plan, whatever its filter, format and image. */
#pragma once

#include "fuzz.h"
#include "plan.h"

/* A format, which need not be one. */
void plans_take_format (FuzzInput *input, FxFormat *format);

/* Checks plan, a draft of it, how it cuts an image taken from input, and what it makes of a small
 * one. Aborts if it breaks a promise. */
void plans_check (const FxPlan *plan, FuzzInput *input);
