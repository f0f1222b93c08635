#include "filters.h"

#include <string.h>

#define POINT(name) &name,

const FilterDescription *const filters[] = { FILTER_LIST (POINT) NULL };

const FilterDescription *
filters_find (const char *procedure)
{
  int i;

  for (i = 0; filters[i] && strcmp (filters[i]->procedure, procedure) != 0; i++)
    ;
  return filters[i];
}
