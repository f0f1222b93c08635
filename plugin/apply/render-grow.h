/* A layer that is enlarged by as far as a filter reaches. */
#ifndef RENDER_GROW_H
#define RENDER_GROW_H

#include "render-job.h"

G_BEGIN_DECLS

/* Does a job that grows. */
gboolean render_grown (FxEngine *engine, const RenderTarget *target, const RenderJob *job,
                       FxReport *report, GError **error);

/* What a process may leave that is killed while it makes a layer grow: the layer enlarged,
 * with its old pixels. Takes that back, which is an undo step of its own. width, height:
 * the layer's before. */
void render_repair (gint32 drawable, const FilterSettings *settings, int width, int height);

/* Makes n pixels of a mask, of that format, white. */
void render_set_white (const FxFormat *format, gpointer pixels, gsize n);

G_END_DECLS

#endif
