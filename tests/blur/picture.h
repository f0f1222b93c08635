/* The pictures of the cases: random ones, and those at which a blur may go wrong. */
#pragma once

#include "case.h"

/* The samples of c's image, always the same; free them with g_free. */
gpointer picture_new (const Case *c);
