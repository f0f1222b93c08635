/* A setting as a property of one of GIMP's objects: the configuration of a procedure or of an
 * effect. */
#pragma once

#include "filter.h"

/* Sets the object's property of that name to a value, which must have passed
 * filter_settings_check: a choice or a matrix is its text. */
void value_store (gpointer object, const char *name, const FilterSettings *settings,
                  guint property);

/* Does the reverse. Returns FALSE with FX_ERROR_ARGUMENT, one sentence, and changes nothing, if the
 * object has a text that is none of the property's. */
gboolean value_take (gpointer object, const char *name, FilterSettings *settings, guint property,
                     GError **error);
