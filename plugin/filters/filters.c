#include "filters.h"

#include "filter-list.h" /* the build makes it of the list in plugin/meson.build */

#include <string.h>

#define DECLARE(name) extern const FilterDescription name;
#define POINT(name)   &name,
FILTER_LIST (DECLARE)

const FilterDescription *const filters[] = { FILTER_LIST (POINT) NULL };

const FilterDescription *
filters_find (const char *procedure)
{
  int i;

  for (i = 0; filters[i] && strcmp (filters[i]->procedure, procedure) != 0; i++)
    ;
  return filters[i];
}
