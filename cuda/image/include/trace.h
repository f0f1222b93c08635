/* CUDA_BLUR_TRACE=1: one line a stage on standard error. */
#ifndef FX_TRACE_H
#define FX_TRACE_H

#include "api.h"

FX_BEGIN_API

/* Whether tracing is on: CUDA_BLUR_TRACE is set and neither empty nor 0. */
gboolean fx_trace_enabled (void);

/* Prints "cuda-blur: STAGE MILLISECONDS ms BYTES bytes DETAIL", if tracing is on. since: when the
 * stage began, by g_get_monotonic_time. detail: printf-style, not translated; may be NULL. */
void fx_trace (const char *stage, gint64 since, gsize bytes, const char *detail, ...)
  G_GNUC_PRINTF (4, 5);

FX_END_API

#endif
