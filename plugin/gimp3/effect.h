/* A filter's operation in GIMP's core, as an effect of a drawable or for good. */
#pragma once

#include "filter.h"

#include <libgimp/gimp.h>

/* Passes settings to GIMP's core. drawable is the effect's. */
void effect_configure (GimpDrawableFilter *effect, GimpDrawable *drawable,
                       const FilterSettings *settings);

/* Does the reverse: copies the effect's configuration to settings. If it has a text that is no
 * matrix, the matrix in settings stays. */
void effect_get_settings (GimpDrawableFilter *effect, FilterSettings *settings);

/* Filters drawables of image, which end with NULL, in one undo step: as effects, or for good. map
 * is that of a filter that takes one, and otherwise NULL. settings must have passed
 * filter_settings_check. Changes nothing, successfully and without an undo step, if the settings
 * change no pixel or none is selected. Returns FALSE with FX_ERROR or TARGET_ERROR on failure. */
gboolean effect_apply (GimpImage *image, GimpDrawable *const *drawables, GimpDrawable *map,
                       const FilterSettings *settings, gboolean as_effect, GError **error);
