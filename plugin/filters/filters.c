#include "filters.h"

#include "convolution-matrix.h"
#include "gaussian-blur.h"

#include <string.h>

const FilterDescription *const filters[] = { &gaussian_blur, &convolution_matrix, NULL };

const FilterDescription *
filters_find (const char *procedure)
{
  int i;

  for (i = 0; filters[i] && strcmp (filters[i]->procedure, procedure) != 0; i++)
    ;
  return filters[i];
}
