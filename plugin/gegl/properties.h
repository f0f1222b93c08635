/* The properties of a filter as those of a GObject. */
#pragma once

#include "filter.h"

#include <glib-object.h>

/* The kinds of an operation's properties. Their IDs are from 1 on, in the order in which dialogs
 * show the filter's, which is also that of GIMP's dialog. */
typedef enum {
  PROPERTY_SETTING,
  PROPERTY_MATRIX,  /* a text */
  PROPERTY_PROBLEM, /* what is wrong with the settings, a sentence or empty; follows a matrix */
  PROPERTY_INVALID, /* whether there is a problem; follows it */
  PROPERTY_BIT,     /* a switch for a bit of the setting that follows; if that is 0, they count */
  PROPERTY_CLIP_EXTENT, /* replaces the property that enlarges a layer */
  PROPERTY_MAP_PLACE,   /* of a map: how far it lies from its place in the graph, along an axis */
  PROPERTY_FLOATS, /* whether the result is in floats, for another operation; the last property */
} PropertyKind;

typedef struct {
  PropertyKind kind;
  guint index; /* the filter's property; not for PROPERTY_MAP_PLACE and PROPERTY_FLOATS */
  guint bit;   /* of PROPERTY_BIT; of PROPERTY_MAP_PLACE the axis, 0 or 1 */
} Property;

Property properties_find (const FilterDescription *filter, guint id);

/* Registers the enums of choices. May be called again for the same module. */
void properties_register (GTypeModule *module, const FilterDescription *filter);

/* Installs the operation's properties in its class. */
void properties_install (GObjectClass *class, const FilterDescription *filter);

/* Copy the filter's property with that index from value to settings and back. It must not be a
 * matrix.
 *
 * A whole number that is not valid is replaced by the next one that is, in the direction in which
 * the number changes, or in place of the first step from 0, by what 0 stands for. Returns whether
 * it is. */
gboolean properties_set (const FilterDescription *filter, FilterSettings *settings, guint index,
                         const GValue *value);
void properties_get (const FilterDescription *filter, const FilterSettings *settings, guint index,
                     GValue *value);
