/* The strength on the GPU: what all kernels of the focus blur know of it. */
#pragma once

#include "focus-plan.h"
#include "gpu-run.h"

#include "kernels/pyramid-args.h"

#define FOCUS_THREADS 256 /* of all blocks */

/* Appends the constants of strength.cuh, those of the source, THREADS and KEEP. */
void focus_strength_define (const FxProgramCase *program_case, GString *text);

/* Returns the rows of the source to keep: all, as pixels with next to no blur stay as they are
 * stored. */
int focus_strength_get_source_rows (const FxPlan *plan, const FxStrip *strip);

/* Returns the bytes that a map takes. */
gsize focus_strength_get_bytes (const FocusPlan *plan, const FxStrip *strip);

/* Sets the strength of a run's strip. Returns FALSE with error on failure. */
gboolean focus_strength_begin (FxGpuRun *run, FocusStrength *strength, GError **error);
