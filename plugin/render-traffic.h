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
  Tiles *source; /* the drawable's */
  Tiles *shadow; /* or NULL */
  int file;      /* the result's rows, where there is no shadow; else -1 */
  double share;  /* of the progress bar that is the engine's */
  gint64 shown;  /* when progress was, by g_get_monotonic_time */
  RenderMeter read, write;
} RenderTraffic;

/* Opens the source alone. */
void render_traffic_init (RenderTraffic *traffic, const RenderTarget *target,
                          const RenderPlan *plan);

/* Blurs what traffic's plan says from its source into its shadow or its file. */
gboolean render_traffic_run (RenderTraffic *traffic, BlurEngine *engine, BlurReport *report,
                             GError **error);

/* Gives a shadow's last tiles to GIMP, which makes it the drawable; the shadow is closed. rect: what of
 * it. */
gboolean render_traffic_merge (gint32 drawable, Tiles **shadow, const BlurRect *rect, GError **error);

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
