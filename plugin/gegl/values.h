/* The values of an operation's properties, as GObject sets and gets them. */
#ifndef VALUES_H
#define VALUES_H

#include "instance.h"

G_BEGIN_DECLS

/* Those of a GObjectClass. */
void values_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec);
void values_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec);

/* Returns whether a switch is on, or there are none. If all are off, no pixel changes. Call this
 * under the lock. */
gboolean values_has_bits (const Operation *operation);

G_END_DECLS

#endif
