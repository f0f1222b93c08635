/* Well-known matrices. */
#ifndef READY_MATRICES_H
#define READY_MATRICES_H

#include "filter-matrix.h"

G_BEGIN_DECLS

typedef struct {
  const char *label; /* translated */
  const FilterMatrix *matrix;
} ReadyMatrix;

extern const ReadyMatrix ready_matrices[]; /* ends with a NULL label */

G_END_DECLS

#endif
