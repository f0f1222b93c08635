/* The filters that there are. */
#ifndef FILTERS_H
#define FILTERS_H

#include "filter.h"

G_BEGIN_DECLS

/* Ends with NULL. */
extern const Filter *const filters[];

/* The one of that procedure; NULL: there is none. */
const Filter *filters_find (const char *procedure);

G_END_DECLS

#endif
