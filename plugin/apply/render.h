/* A filter applied to a drawable. For the main thread only, as all of libgimp. */
#ifndef RENDER_H
#define RENDER_H

#include "filter.h"

G_BEGIN_DECLS

/* Filters drawable through the selection, in one undo step. Waits until no other process of this
 * GIMP is at it. Where something was changed meanwhile so that the result can no longer be put into
 * it, that is the error. since: when the caller's work began, by g_get_monotonic_time, for the
 * trace. Returns TRUE too where there is nothing to do: settings that change nothing, or nothing of
 * the drawable selected. On FALSE the drawable is as it was, but with RENDER_ERROR_LATE. */
gboolean render_apply (FxEngine *engine, gint32 drawable, const FilterSettings *settings,
                       gint64 since, GError **error);

G_END_DECLS

#endif
