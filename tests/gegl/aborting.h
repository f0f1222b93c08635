/* The calls for memory that end the process where there is none: the linker has these in their
 * places. */
#pragma once

#include <glib.h>

/* The bytes that one of them was for at the most, since this was asked last. */
gsize aborting_largest (void);
