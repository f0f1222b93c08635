/* The list of all filters. */
#pragma once

#include "filter-list.h" /* the build makes it of the list in meson.build */
#include "filter.h"

/* What GIMP learns of all procedures. */
#define FILTERS_AUTHORS "The gimp-cuda-blur authors"
#define FILTERS_LICENSE "LGPL-3.0-or-later"
#define FILTERS_YEAR    "2026"
#define FILTERS_TYPES   "RGB*, GRAY*" /* image types */

/* The description of each filter. */
#define FILTER_DECLARE(name) extern const FilterDescription name;
FILTER_LIST (FILTER_DECLARE)
#undef FILTER_DECLARE

/* Ends with NULL. */
extern const FilterDescription *const filters[];

/* Returns the filter with that procedure, or NULL. */
const FilterDescription *filters_find (const char *procedure);
