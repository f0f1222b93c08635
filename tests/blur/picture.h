/* The pictures of the cases: random ones, and those at which a blur may go wrong. */
#ifndef PICTURE_H
#define PICTURE_H

#include "case.h"

G_BEGIN_DECLS

/* The samples of c's image, always the same; free them with g_free. */
gpointer picture_new (const Case *c);

G_END_DECLS

#endif
