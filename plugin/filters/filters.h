/* The list of all filters. */
#ifndef FILTERS_H
#define FILTERS_H

#include "filter.h"

G_BEGIN_DECLS

/* Ends with NULL. */
extern const FilterDescription *const filters[];

/* Returns the filter with that procedure, or NULL. */
const FilterDescription *filters_find (const char *procedure);

G_END_DECLS

#endif
