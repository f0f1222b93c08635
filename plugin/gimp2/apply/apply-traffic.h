/* The engine's callbacks that read and write a drawable's tiles. */
#pragma once

#include "apply-job.h"
#include "tiles.h"

#include <stdio.h>

/* The data transferred between GIMP and this process in one direction, and the time that took. */
typedef struct {
  gint64 microseconds;
  gsize bytes;
} ApplyMeter;

/* The data of the engine's callbacks. */
typedef struct {
  const ApplyTarget *target;
  const ApplyJob *job;
  Tiles *tiles;         /* of the drawable */
  FILE *result;         /* for the result's rows; NULL: the result goes to the shadow */
  gint64 told, checked; /* the last progress update and the last check of the target, by
                            g_get_monotonic_time */
  ApplyMeter read, write;
} ApplyTraffic;

/* Initialises traffic, with open tiles and no file. target and job must outlive it. Clear it with
 * apply_traffic_clear. */
void apply_traffic_init (ApplyTraffic *traffic, const ApplyTarget *target, const ApplyJob *job);

/* Runs traffic's job: reads the drawable, and writes to its shadow or to the file. report may be
 * NULL. Returns FALSE with error on failure. */
gboolean apply_traffic_run (ApplyTraffic *traffic, FxEngine *engine, FxReport *report,
                            GError **error);

/* Traces both meters and the merge, which began at the monotonic time merge. */
void apply_traffic_trace (const ApplyTraffic *traffic, gint64 merge);

/* Closes the tiles and the file, if they are open. */
void apply_traffic_clear (ApplyTraffic *traffic);

/* Sets error to APPLY_ERROR_FILE, by errno. Returns FALSE. */
gboolean apply_traffic_fail_file (GError **error);
