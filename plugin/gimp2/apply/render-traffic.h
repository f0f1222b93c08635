/* The engine's callbacks that read and write a drawable's tiles. */
#pragma once

#include "render-job.h"
#include "tiles.h"

#include <stdio.h>

/* The data transferred between GIMP and this process in one direction, and the time that took. */
typedef struct {
  gint64 microseconds;
  gsize bytes;
} RenderMeter;

/* The data of the engine's callbacks. */
typedef struct {
  const RenderTarget *target;
  const RenderJob *job;
  Tiles *tiles;         /* of the drawable */
  FILE *result;         /* for the result's rows; NULL: the result goes to the shadow */
  gint64 told, checked; /* the last progress update and the last check of the target, by
                            g_get_monotonic_time */
  RenderMeter read, write;
} RenderTraffic;

/* Initialises traffic, with open tiles and no file. target and job must outlive it. Clear it with
 * render_traffic_clear. */
void render_traffic_init (RenderTraffic *traffic, const RenderTarget *target, const RenderJob *job);

/* Runs traffic's job: reads the drawable, and writes to its shadow or to the file. report may be
 * NULL. Returns FALSE with error on failure. */
gboolean render_traffic_run (RenderTraffic *traffic, FxEngine *engine, FxReport *report,
                             GError **error);

/* Traces both meters and the merge, which began at the monotonic time merge. */
void render_traffic_trace (const RenderTraffic *traffic, gint64 merge);

/* Closes the tiles and the file, if they are open. */
void render_traffic_clear (RenderTraffic *traffic);

/* Sets error to RENDER_ERROR_FILE, by errno. Returns FALSE. */
gboolean render_traffic_fail_file (GError **error);
