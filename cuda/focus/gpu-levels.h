/* The levels of a strip on the GPU. */
#pragma once

#include "gpu-strength.h"

/* The first programs of the path. */
enum {
  FOCUS_DECODE,
  FOCUS_GATHER,
  FOCUS_LEVELS, /* from here on those that make coarser levels, if there are any */
};

typedef struct {
  FxGpuRun base;
  FocusStrength strength; /* in the image's pixels */
  FocusPyramidArgs pyramid;
  gboolean solved; /* the coarser levels are done */
} FocusGpuRun;

/* Sets programs to those that make coarser levels, and returns their number. */
int focus_levels_get_programs (const FocusPlan *plan, const FxProgram **programs);

/* Returns the bytes that the levels of a strip take. */
gsize focus_levels_get_bytes (const FocusPlan *plan, const FxStrip *strip);

/* Allocates the levels of the run's strip and sets its pyramid. Returns FALSE with error on
 * failure. */
gboolean focus_levels_begin (FocusGpuRun *run, GError **error);

/* Queues the work that makes all levels of the first one. Returns FALSE with error on failure. */
gboolean focus_levels_solve (FocusGpuRun *run, GError **error);
