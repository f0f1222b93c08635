/* The list of all filters. */
#ifndef FILTERS_H
#define FILTERS_H

#include "filter-list.h" /* the build makes it of the list in meson.build */
#include "filter.h"

G_BEGIN_DECLS

/* The description of each filter. */
#define FILTER_DECLARE(name) extern const FilterDescription name;
FILTER_LIST (FILTER_DECLARE)
#undef FILTER_DECLARE

/* Ends with NULL. */
extern const FilterDescription *const filters[];

/* Returns the filter with that procedure, or NULL. */
const FilterDescription *filters_find (const char *procedure);

G_END_DECLS

#endif
