/* The calls for memory that end the process if there is none: the linker puts these in place of
 * GLib's. */
#pragma once

#include <glib.h>

/* The bytes that one of them was for at the most, since this was asked last. */
gsize aborting_largest (void);
