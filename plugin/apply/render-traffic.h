/* The engine's callbacks that read and write a drawable's tiles. */
#ifndef RENDER_TRAFFIC_H
#define RENDER_TRAFFIC_H

#include "render-job.h"
#include "tiles.h"

G_BEGIN_DECLS

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
  guint8 *result;       /* a mapping for the result's rows; NULL: the result goes to the shadow */
  gint64 told, checked; /* the last progress update and the last check of the target, by
                            g_get_monotonic_time */
  RenderMeter read, write;
} RenderTraffic;

/* Initialises traffic, with open tiles and no mapping. target and job must outlive it. Clear it
 * with render_traffic_clear. */
void render_traffic_init (RenderTraffic *traffic, const RenderTarget *target, const RenderJob *job);

/* Returns the bytes of the whole result. */
gsize render_traffic_get_size (const RenderTraffic *traffic);

/* Runs traffic's job: reads the drawable, and writes to its shadow or to the mapping. report may be
 * NULL. Returns FALSE with error on failure. */
gboolean render_traffic_run (RenderTraffic *traffic, FxEngine *engine, FxReport *report,
                             GError **error);

/* Traces both meters and the merge, which began at the monotonic time merge. */
void render_traffic_trace (const RenderTraffic *traffic, gint64 merge);

/* Closes the tiles, if they are open, and unmaps the result. */
void render_traffic_clear (RenderTraffic *traffic);

/* Adds bytes, and the time from since, by g_get_monotonic_time, until now. */
void render_meter_add (RenderMeter *meter, gint64 since, gsize bytes);

G_END_DECLS

#endif
