/* The values of an operation's properties, as GObject sets and gets them. */
#pragma once

#include "instance.h"

/* Those of a GObjectClass. */
void values_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec);
void values_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec);

/* Returns whether a switch is on, or there are none. If all are off, no pixel changes. Call this
 * under the lock. */
gboolean values_has_bits (const Operation *operation);
