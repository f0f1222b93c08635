/* The arguments of a filter's procedure in GIMP 3, made from its description. GIMP itself checks
 * them against their ranges, and stores them as last values. */
#pragma once

#include "filter.h"

#include <libgimp/gimp.h>

/* A boolean: whether a layer gets an effect, which stays editable; otherwise its pixels are
 * changed. */
#define ARGUMENTS_AS_EFFECT "as-effect"

/* A drawable, for a filter with a map. GIMP merges a second input, so such a filter has no
 * ARGUMENTS_AS_EFFECT. */
#define ARGUMENTS_MAP "map"

/* Adds ARGUMENTS_MAP, an argument for each property, and ARGUMENTS_AS_EFFECT. */
void arguments_add (GimpProcedure *procedure, const FilterDescription *filter);

/* Returns the names of these in the order in which dialogs show them; free the list alone. */
GList *arguments_list_shown (const FilterDescription *filter);

/* Returns config's values as settings that have passed filter_settings_check; free them. Returns
 * NULL with FX_ERROR_ARGUMENT, one sentence, if one of them is wrong. */
FilterSettings *arguments_get (GimpProcedureConfig *config, const FilterDescription *filter,
                               GError **error);

/* Stores settings in config. They must have passed filter_settings_check. */
void arguments_set (GimpProcedureConfig *config, const FilterSettings *settings);
