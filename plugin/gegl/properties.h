/* A description's properties as those of a GObject. */
#ifndef PROPERTIES_H
#define PROPERTIES_H

#include "operation.h"

G_BEGIN_DECLS

/* Those of every operation. */
enum {
  PROPERTY_CLIP_EXTENT = 1, /* in place of "grow" */
  PROPERTY_FLOATS,          /* the result is in floats, for another operation to work on */
  PROPERTY_FIRST,           /* of the description's, which follow in their order */
};

/* Registers the enums of choices. */
void properties_register (GTypeModule *module, const OperationDescription *description);

void properties_install (GObjectClass *class, const OperationDescription *description);

/* The property with that number, to and from settings. Whole numbers that have steps are rounded
 * up to one. */
void properties_set (const OperationDescription *description, FilterSettings *settings, guint id,
                     const GValue *value);
void properties_get (const OperationDescription *description, const FilterSettings *settings,
                     guint id, GValue *value);

G_END_DECLS

#endif
