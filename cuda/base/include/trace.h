/* Tracing: with CUDA_BLUR_TRACE=1, one line per stage on standard error. With CUDA_BLUR_WARN=1, a
 * warning for each failure that another device makes up for. */
#pragma once

#include "api.h"

FX_BEGIN_API

/* Prints "cuda-blur: STAGE MILLISECONDS ms BYTES bytes DETAIL" if fx_config_wants_trace. since is
 * the time at which the stage began, from g_get_monotonic_time. detail is a printf format, not
 * translated; it may be NULL. May be called from any thread; lines do not mix. */
void fx_trace (const char *stage, gint64 since, gsize bytes, const char *detail, ...)
  G_GNUC_PRINTF (4, 5);

/* Emits a GLib warning that a device failed and that another one does its work, if CUDA_BLUR_WARN
 * is set and neither empty nor 0. Ignores FX_ERROR_UNAVAILABLE: a GPU that is missing, or cannot be
 * used here, has not failed. */
void fx_warn_of_failure (const GError *failure);

FX_END_API
