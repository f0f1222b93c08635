/* The effects of the filter that a layer has, and how one of them is changed. For the main
 * thread. */
#pragma once

#include "filter.h"

#include <libgimp/gimp.h>

/* Returns the drawable's effects of the filter, the topmost first; free the array. The effects are
 * libgimp's. */
GPtrArray *designer_effect_find (GimpDrawable *drawable, const FilterDescription *filter);

/* Returns whether the drawable has the effect. An effect that the user has removed is still valid
 * for its undo step. */
gboolean designer_effect_is_there (GimpDrawable *drawable, const GimpDrawableFilter *effect);

/* Gives settings to an effect that the drawable has, and makes it visible. This is an unsaved
 * change, but GIMP lets no plug-in make an undo step of it. Returns FALSE with error, and changes
 * nothing, if settings ask for a device that fails. */
gboolean designer_effect_edit (GimpDrawableFilter *effect, GimpDrawable *drawable,
                               const FilterSettings *settings, GError **error);
