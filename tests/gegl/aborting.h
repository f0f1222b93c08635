/* The calls for memory that end the process where there is none: the linker has these in their
 * places. */
#ifndef ABORTING_H
#define ABORTING_H

#include <glib.h>

G_BEGIN_DECLS

/* The bytes that one of them was for at the most, since this was asked last. */
gsize aborting_largest (void);

G_END_DECLS

#endif
