/* Matrices that many ask for by name. Pure arithmetic. */
#ifndef READY_MATRICES_H
#define READY_MATRICES_H

#include "filter-matrix.h"

G_BEGIN_DECLS

#define READY_NUMBERS_MAX 2

typedef struct {
  const char *label; /* translated */
  double minimum, maximum, initial, step;
  guint digits; /* behind the point */
} ReadyNumber;

typedef struct ReadyMatrix ReadyMatrix;
struct ReadyMatrix {
  const char *name;                       /* of no language */
  const char *label;                      /* translated */
  ReadyNumber numbers[READY_NUMBERS_MAX]; /* those it has; the others have no label */
  const FilterMatrix *fixed;              /* NULL: it is made of its numbers */
  FilterMatrix *(*make) (const double *numbers);
};

extern const ReadyMatrix ready_matrices[]; /* ends with a name of NULL */

/* numbers: as many as it has, clamped to their ranges; NULL where it has none. Rows and columns are
 * odd, 63 at the most. Free it with filter_matrix_free. */
FilterMatrix *ready_matrix_make (const ReadyMatrix *ready, const double *numbers);

G_END_DECLS

#endif
