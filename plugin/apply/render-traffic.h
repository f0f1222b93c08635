/* The engine's callbacks over a drawable's tiles. */
#ifndef RENDER_TRAFFIC_H
#define RENDER_TRAFFIC_H

#include "render-job.h"
#include "tiles.h"

G_BEGIN_DECLS

/* What crossed between GIMP and this process in one direction, and for how long. */
typedef struct {
  gint64 microseconds;
  gsize bytes;
} RenderMeter;

/* The data of the engine's callbacks. */
typedef struct {
  const RenderTarget *target;
  const RenderJob *job;
  Tiles *tiles;          /* the drawable's */
  int file;              /* of the result's rows; -1: they go to the shadow */
  gint64 shown, checked; /* when progress and the target were, by g_get_monotonic_time */
  RenderMeter read, write;
} RenderTraffic;

void render_traffic_init (RenderTraffic *traffic, const RenderTarget *target, const RenderJob *job);

/* Does traffic's job, from the drawable into its shadow or the file. */
gboolean render_traffic_run (RenderTraffic *traffic, FxEngine *engine, FxReport *report,
                             GError **error);

/* Traces the meters and the merging. merge: when that began. */
void render_traffic_trace (const RenderTraffic *traffic, gint64 merge);

/* Closes what is open. */
void render_traffic_clear (RenderTraffic *traffic);

/* Adds to a meter what took from since until now. */
void render_meter_add (RenderMeter *meter, gint64 since, gsize bytes);

G_END_DECLS

#endif
