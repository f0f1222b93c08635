/* The properties of a description as those of a GObject. */
#ifndef PROPERTIES_H
#define PROPERTIES_H

#include "operation.h"

G_BEGIN_DECLS

/* The kinds of an operation's properties. Those of the description have the IDs from 1 on, in their
 * order, which is also the order in GIMP's dialog. */
typedef enum {
  PROPERTY_SETTING,
  PROPERTY_MATRIX,      /* a text */
  PROPERTY_CLIP_EXTENT, /* replaces the property that enlarges a layer */
  PROPERTY_FLOATS, /* whether the result is in floats, for another operation; the last property */
} PropertyKind;

PropertyKind properties_get_kind (const OperationDescription *description, guint id);

/* Registers the enums of choices. May be called again for the same module. */
void properties_register (GTypeModule *module, const OperationDescription *description);

/* Installs the operation's properties in its class. */
void properties_install (GObjectClass *class, const OperationDescription *description);

/* Copy a property from value to settings and back. id must be that of a setting. A whole number
 * that has steps is rounded up to one. */
void properties_set (const OperationDescription *description, FilterSettings *settings, guint id,
                     const GValue *value);
void properties_get (const OperationDescription *description, const FilterSettings *settings,
                     guint id, GValue *value);

G_END_DECLS

#endif
