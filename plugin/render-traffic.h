/* What render.c and render-grow.c have in common: the engine's callbacks over a drawable's tiles. */
#ifndef RENDER_TRAFFIC_H
#define RENDER_TRAFFIC_H

#include "render.h"
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
  const RenderPlan *plan;
  Tiles *tiles;  /* the drawable's */
  int file;      /* of the result's rows; -1: they go to the shadow */
  gint64 shown;  /* when progress was, by g_get_monotonic_time */
  RenderMeter read, write;
} RenderTraffic;

void render_traffic_init (RenderTraffic *traffic, const RenderTarget *target,
                          const RenderPlan *plan);

/* Blurs what traffic's plan says from the drawable into its shadow or the file. */
gboolean render_traffic_run (RenderTraffic *traffic, BlurEngine *engine, BlurReport *report,
                             GError **error);

/* Makes drawable of its shadow, and closes tiles. rect: what of it has changed. */
gboolean render_merge (gint32 drawable, Tiles **tiles, const BlurRect *rect, GError **error);

/* Traces the meters and the merging. merge: when that began. */
void render_traffic_trace (const RenderTraffic *traffic, gint64 merge);

/* Closes what is open. */
void render_traffic_clear (RenderTraffic *traffic);

/* Adds to a meter what took from since until now. */
void render_meter_add (RenderMeter *meter, gint64 since, gsize bytes);

/* Sets error to what GIMP said to the call that has just failed; returns FALSE. */
gboolean render_fail_gimp (GError **error);

/* render-grow.c: a layer that grows. */
gboolean render_grown (BlurEngine *engine, const RenderTarget *target, const RenderPlan *plan,
                       BlurReport *report, GError **error);

G_END_DECLS

#endif
