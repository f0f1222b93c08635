/* Applies a filter to a drawable. For the main thread only, as all of libgimp. */
#pragma once

#include "filter.h"

/* Filters drawable through the selection, in one undo step. settings must have passed
 * filter_settings_check. If their filter takes a map, it is map, which is read if there is
 * something to do; any number will do otherwise. Waits while another process of this GIMP filters
 * the same drawable. Returns TRUE also if there is nothing to do, because the settings change
 * nothing or no part of the drawable is selected. Returns FALSE with error on failure, also if
 * another change to the drawable or the selection means that the result no longer fits; the
 * drawable is then as it was, except after APPLY_ERROR_LATE. since is the time at which the
 * caller's work began, by g_get_monotonic_time, for the trace. */
gboolean apply_filter (FxEngine *engine, gint32 drawable, gint32 map,
                       const FilterSettings *settings, gint64 since, GError **error);
