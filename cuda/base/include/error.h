/* The error domain of the engine. */
#pragma once

#include "api.h"

FX_BEGIN_API

typedef enum {
  FX_ERROR_ARGUMENT,    /* the message names the argument, its value and the allowed values */
  FX_ERROR_CANCELLED,   /* the progress callback returned FALSE */
  FX_ERROR_UNAVAILABLE, /* there is no GPU, no driver or no suitable NVRTC; the message says which
                         */
  FX_ERROR_MEMORY,      /* host or device memory ran out */
  FX_ERROR_DEVICE,      /* CUDA or NVRTC failed; the message quotes it */
} FxError;

#define FX_ERROR (fx_error_quark ())
GQuark fx_error_quark (void);

/* Sets error as g_set_error does, and returns FALSE, so that a caller can return that. The
 * functions below do so, too. */
gboolean fx_set_error (GError **error, GQuark domain, int code, const char *format, ...)
  G_GNUC_PRINTF (4, 5);

/* For memory that runs out. */
gboolean fx_set_no_memory (GError **error);

FX_END_API

#define fx_fail(error, code, ...) fx_set_error (error, FX_ERROR, code, __VA_ARGS__)

/* For an argument that is out of range. */
#define fx_refuse(error, ...) fx_fail (error, FX_ERROR_ARGUMENT, __VA_ARGS__)

/* Returns whether value is least to most, and not NaN; FALSE with FX_ERROR_ARGUMENT if not. name is
 * the argument's. */
gboolean fx_check_range (const char *name, double value, double least, double most, GError **error);

/* Returns whether value is 0 to last; FALSE with FX_ERROR_ARGUMENT if not. name is the argument's;
 * allowed lists the values with their meanings, translated. */
gboolean fx_check_choice (const char *name, int value, int last, const char *allowed,
                          GError **error);

/* needed and allowed are bytes of GPU memory. */
gboolean fx_set_no_gpu_memory (gsize needed, gsize allowed, GError **error);
