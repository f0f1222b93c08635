/* The engine's callbacks that read and write a drawable's tiles. */
#pragma once

#include "apply-job.h"
#include "tiles.h"

#include <stdio.h>

/* The data transferred between GIMP and this process in one direction, and the time that took. */
typedef struct {
  gint64 microseconds;
  gsize bytes;
} ApplyTransfer;

/* The data of the engine's callbacks. */
typedef struct {
  const ApplyTarget *target;
  const ApplyJob *job;
  Tiles *tiles;             /* of the drawable */
  FILE *result;             /* for the result's rows; NULL: the result goes to the shadow */
  gint64 reported, checked; /* the last progress update and the last check of the target, by
                            g_get_monotonic_time */
  ApplyTransfer read, write;
} ApplyCallbacks;

/* Initialises callbacks, with open tiles and no file. target and job must outlive it. Clear it with
 * apply_callbacks_clear. */
void apply_callbacks_init (ApplyCallbacks *callbacks, const ApplyTarget *target,
                           const ApplyJob *job);

/* Runs the job of callbacks: reads the drawable, and writes to its shadow or to the file. report
 * may be NULL. Returns FALSE with error on failure. */
gboolean apply_callbacks_run (ApplyCallbacks *callbacks, FxEngine *engine, FxReport *report,
                              GError **error);

/* Traces both transfers and the merge, which began at the monotonic time merge. */
void apply_callbacks_trace (const ApplyCallbacks *callbacks, gint64 merge);

/* Closes the tiles and the file, if they are open. */
void apply_callbacks_clear (ApplyCallbacks *callbacks);

/* Sets error to APPLY_ERROR_FILE, by errno. Returns FALSE. */
gboolean apply_callbacks_fail_file (GError **error);
