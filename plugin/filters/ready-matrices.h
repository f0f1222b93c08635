/* Well-known matrices. */
#pragma once

#include "filter-matrix.h"

typedef struct {
  const char *label; /* translated */
  const FilterMatrix *matrix;
} ReadyMatrix;

extern const ReadyMatrix ready_matrices[]; /* ends with a NULL label */
