/* What render.c, render-grow.c and canvas.c have in common: the engine's callbacks over a
 * drawable's tiles, and a layer that grows. */
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
  Tiles *tiles;          /* the drawable's */
  int file;              /* of the result's rows; -1: they go to the shadow */
  gint64 shown, checked; /* when progress and the target were, by g_get_monotonic_time */
  RenderMeter read, write;
} RenderTraffic;

void render_traffic_init (RenderTraffic *traffic, const RenderTarget *target,
                          const RenderPlan *plan);

/* Blurs what traffic's plan says from the drawable into its shadow or the file. */
gboolean render_traffic_run (RenderTraffic *traffic, FxEngine *engine, FxReport *report,
                             GError **error);

/* Makes target of its shadow, and closes tiles. written: all of the shadow that was. all: no less
 * will do than that all of it gets through. This is where it is decided whether the target, the
 * selection and the shadow are what the blur was made for; if they are not, that is the error, and
 * the target is as it was. */
gboolean render_merge (const RenderTarget *target, Tiles **tiles, const FxRect *written,
                       gboolean all, GError **error);

/* Traces the meters and the merging. merge: when that began. */
void render_traffic_trace (const RenderTraffic *traffic, gint64 merge);

/* Closes what is open. */
void render_traffic_clear (RenderTraffic *traffic);

/* Adds to a meter what took from since until now. */
void render_meter_add (RenderMeter *meter, gint64 since, gsize bytes);

/* Sets error to what GIMP said to the call that has just failed; returns FALSE. */
gboolean render_fail_gimp (GError **error);

/* render-grow.c: a layer that grows. */
gboolean render_grown (FxEngine *engine, const RenderTarget *target, const RenderPlan *plan,
                       FxReport *report, GError **error);

/* Sets error to that of a layer that can no longer grow; returns FALSE. */
gboolean render_fail_grow (const RenderTarget *target, GError **error);

/* Whether GIMP can enlarge a layer as plan says. */
gboolean render_check_grown_size (const RenderPlan *plan, GError **error);

/* Makes n pixels of a mask, of that format, white. */
void render_set_white (const FxFormat *format, gpointer pixels, gsize n);

G_END_DECLS

#endif
