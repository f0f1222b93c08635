/* A description's properties as those of a GObject. */
#ifndef PROPERTIES_H
#define PROPERTIES_H

#include "operation.h"

G_BEGIN_DECLS

/* What a property is to an operation. Those of the description have numbers from 1 on, in their
 * order, which is that of GIMP's dialog. */
typedef enum {
  PROPERTY_SETTING,
  PROPERTY_MATRIX,      /* a text */
  PROPERTY_CLIP_EXTENT, /* in the place of the one that enlarges a layer */
  PROPERTY_FLOATS,      /* the result is in floats, for another operation to work on; comes last */
} PropertyKind;

PropertyKind properties_get_kind (const OperationDescription *description, guint id);

/* Registers the enums of choices. */
void properties_register (GTypeModule *module, const OperationDescription *description);

void properties_install (GObjectClass *class, const OperationDescription *description);

/* The setting with that number, no matrix, to and from settings. Whole numbers that have steps are
 * rounded up to one. */
void properties_set (const OperationDescription *description, FilterSettings *settings, guint id,
                     const GValue *value);
void properties_get (const OperationDescription *description, const FilterSettings *settings,
                     guint id, GValue *value);

G_END_DECLS

#endif
