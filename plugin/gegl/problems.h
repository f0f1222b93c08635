/* What is wrong with an operation's settings, for its user. */
#pragma once

#include "instance.h"

/* Returns FALSE with what is wrong with the settings. Call this under the lock. */
gboolean problems_check (const Operation *operation, GError **error);

/* Tells GIMP's dialog what is wrong. Does nothing if the operation has no property for that. */
void problems_notify (Operation *operation);

/* Returns a message to show before the work begins, or NULL; free it. Call this under the lock. */
char *problems_take (Operation *operation);
