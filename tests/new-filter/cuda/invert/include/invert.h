/* Inverts colours: a sample v of colour becomes v + amount * (1 - 2 v). Alpha stays. */
#pragma once

#include "plan.h"

FX_BEGIN_API

typedef struct {
  double amount; /* 0 to 1 */
  FxLight light; /* in which v is taken */
} InvertParams;

/* Returns FALSE with FX_ERROR_ARGUMENT if a parameter is out of range. */
gboolean invert_params_check (const InvertParams *params, GError **error);

/* Creates the plan for images of format; free it with fx_plan_free. Returns NULL with
 * FX_ERROR_ARGUMENT if a parameter or the format is out of range. */
FxPlan *invert_plan_new (const InvertParams *params, const FxFormat *format, GError **error);

FX_END_API
