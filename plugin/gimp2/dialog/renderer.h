/* Renders the dialog's views on another thread, so that the main one never waits. A new request
 * replaces an older one. All functions and callbacks are for the main thread only. */
#pragma once

#include "apply-job.h"
#include "drawable-copy.h"
#include "preview.h"

typedef struct Renderer Renderer;

/* A view of the drawable: a request, and below it what came of it. */
typedef struct {
  ApplyJob job;
  FxView view;
  gboolean wants_after, wants_before; /* the view as job makes it, and as the drawable is; facts
                                         alone are always wanted */
  gboolean as_it_is;                  /* after is as the drawable is, too, and there are no facts */
  guint generation;                   /* of the drawable's pixels; counted by the viewer */
  gint64 since;                       /* the time of the request, by g_get_monotonic_time */

  guint8 *after, *before; /* from fx_preview_render; NULL if not requested or failed */
  FxViewReport report;    /* of after, or of before if after was not requested */
  char *facts;            /* what filter_settings_describe says of the job */
  GError *error;          /* may be NULL */
} RendererView;

/* The whole drawable: a request, and below it what came of it. */
typedef struct {
  ApplyJob job;      /* its region is the part that changes */
  gboolean as_it_is; /* the drawable unchanged, except that it may be enlarged */

  guint8 *pixels; /* job.image.height rows in the drawable's format, without padding */
  GError *error;  /* may be NULL */
  gint serial;    /* the renderer's */
} RendererLayer;

/* Called on the main loop. A function may take what the result points to, and set the pointer to
 * NULL. */
typedef struct {
  void (*view_done) (gpointer data, RendererView *result);
  void (*layer_done) (gpointer data, RendererLayer *result);
} RendererFuncs;

/* Creates a renderer and starts its thread, which holds the copy while it renders. engine, target
 * and copy must outlive it, and nothing else may use the engine until renderer_free. funcs is
 * copied. Returns NULL with FX_ERROR_MEMORY if the thread cannot be started. */
Renderer *renderer_new (FxEngine *engine, const ApplyTarget *target, DrawableCopy *copy,
                        const RendererFuncs *funcs, gpointer data, GError **error);
void renderer_free (Renderer *renderer); /* waits for its thread; NULL is legal */

/* Reports that rows y to y + rows - 1 of the copy or its mask have changed, or the channels that no
 * filter changes. */
void renderer_change (Renderer *renderer, int y, int rows);

/* Requests a view in place of the last one requested. Takes the job in view, whose plan the thread
 * makes, once for views and layers of the same settings; the rest is copied. A draft in progress is
 * finished first, so that the user sees something while requests keep coming. */
void renderer_request_view (Renderer *renderer, const RendererView *view);

/* Requests the whole drawable in place of the last one requested, and takes the job in layer; NULL
 * cancels the request. If a layer takes long, views come first. */
void renderer_request_layer (Renderer *renderer, const RendererLayer *layer);
