/* The resident process: an extension that starts with GIMP and reuses one engine for all calls, so
 * that a call need not open the GPU or compile programs. For the main thread only. */
#pragma once

#include "filter.h"

#include <libgimp/gimp.h>

/* The procedure with which GIMP starts the process. */
#define RESIDENT_EXTENSION "extension-cuda-filters"

/* Registers that procedure with GIMP. */
void resident_install (void);

/* Serves calls for as long as GIMP runs. After CUDA_BLUR_IDLE_SECONDS (60) without a call, frees
 * the engine with the GPU and its memory; the next call opens them again. */
void resident_serve (void) G_GNUC_NORETURN;

/* Frees the engine. Returns FALSE, and does nothing, during a call. */
gboolean resident_end (void);

/* Lets the resident process filter drawable, as apply_filter would. Sets forwarded to FALSE if
 * there is no resident process or it cannot take the call, for example because it serves another;
 * then nothing was done, and error is not set. Otherwise returns what apply_filter returns there.
 * Errors other than FX_ERROR_ARGUMENT and FX_ERROR_CANCELLED become APPLY_ERROR_GIMP, as does the
 * death of the process. */
gboolean resident_forward (gint32 drawable, gint32 map, const FilterSettings *settings,
                           gboolean *forwarded, GError **error);
