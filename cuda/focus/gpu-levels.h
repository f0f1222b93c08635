/* The levels of a strip on the GPU. */
#pragma once

#include "focus-plan.h"
#include "gpu-run.h"

#include "kernels/pyramid-args.h"

/* The programs of the path. Those of w make the levels of one float a cell, with keep_sharp. */
enum {
  FOCUS_DECODE,
  FOCUS_GATHER,
  FOCUS_COLUMNS, /* from here on, only if there are coarser levels than the picture */
  FOCUS_ROWS,
  FOCUS_COLUMNS_OF_W, /* from here on, only with keep_sharp */
  FOCUS_ROWS_OF_W,
};

#define FOCUS_THREADS 256 /* of all blocks */

typedef struct {
  FxGpuRun base;
  FocusStrength strength; /* in the image's pixels */
  FocusPyramid pyramid;
  gboolean solved; /* the coarser levels are done */
} FocusRun;

extern const FxProgram focus_program_columns, focus_program_rows, focus_program_columns_of_w,
  focus_program_rows_of_w;

/* Returns the bytes that the levels of a strip take. */
gsize focus_levels_get_bytes (const FocusPlan *plan, const FxStrip *strip);

/* Allocates the levels of the run's strip and sets its pyramid. Returns FALSE with error on
 * failure. */
gboolean focus_levels_begin (FocusRun *run, GError **error);

/* Queues the work that makes all levels of the first one. Returns FALSE with error on failure. */
gboolean focus_levels_solve (FocusRun *run, GError **error);
