/* What the dialog shows, rendered on a thread of its own, so that nothing on the main one waits.
 * The newest request wins. For the main thread only, which is also told of what is done. */
#ifndef RENDERER_H
#define RENDERER_H

#include "drawable-copy.h"
#include "render-job.h"

G_BEGIN_DECLS

typedef struct Renderer Renderer;

/* A view of the drawable. */
typedef struct {
  RenderJob job;
  FxView view;
  gboolean after, before; /* which are wanted: as job makes it, and as it is */
  guint generation;       /* of the drawable's pixels, the viewer's to count */
  gint64 since;           /* when it was asked for, by g_get_monotonic_time */
} RendererView;

typedef struct {
  RendererView request;
  guint8 *after, *before; /* of fx_preview_render; NULL where not wanted or failed */
  FxViewReport report;    /* of after, or else before */
  GError *error;          /* or NULL */
} RendererViewResult;

/* The whole drawable. */
typedef struct {
  RenderJob job;     /* its region is what it changes */
  gboolean as_it_is; /* the drawable itself, and nothing done but that it may be enlarged */
} RendererLayer;

typedef struct {
  RendererLayer request;
  guint8 *pixels; /* job.image.height rows in the drawable's format, without padding */
  GError *error;  /* or NULL */
} RendererLayerResult;

/* Called on the main loop. The function may take what result points to by setting that to NULL. */
typedef struct {
  void (*view_done) (gpointer data, RendererViewResult *result);
  void (*layer_done) (gpointer data, RendererLayerResult *result);
} RendererFuncs;

/* engine and copy must outlive the renderer, and no one else may use the engine meanwhile. NULL
 * with error where there is no thread to be had. */
Renderer *renderer_new (FxEngine *engine, const RenderTarget *target, const DrawableCopy *copy,
                        const RendererFuncs *funcs, gpointer data, GError **error);
void renderer_free (Renderer *renderer); /* waits for its thread; NULL is legal */

/* Says that rows of the copy, or of its mask, have changed. */
void renderer_change (Renderer *renderer, int y, int rows);

/* Asks for a view in place of the one asked for before, and takes its job. A draft that is under
 * way is finished first: a hand that never rests would otherwise see nothing. */
void renderer_request_view (Renderer *renderer, RendererView *view);

/* Asks for the whole drawable, and takes its job, or with NULL no longer. It gives way to views
 * where it takes long. */
void renderer_request_layer (Renderer *renderer, RendererLayer *layer);

G_END_DECLS

#endif
