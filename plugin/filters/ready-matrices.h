/* Well-known matrices, chosen by name. Pure arithmetic. */
#ifndef READY_MATRICES_H
#define READY_MATRICES_H

#include "filter-matrix.h"

G_BEGIN_DECLS

#define READY_NUMBERS_MAX 2

typedef struct {
  const char *label; /* translated */
  double minimum, maximum, initial, step;
  guint digits; /* after the decimal point */
} ReadyNumber;

typedef struct ReadyMatrix ReadyMatrix;
struct ReadyMatrix {
  const char *name;                       /* not translated */
  const char *label;                      /* translated */
  ReadyNumber numbers[READY_NUMBERS_MAX]; /* unused ones have no label */
  const FilterMatrix *fixed;              /* NULL: make computes the matrix from the numbers */
  FilterMatrix *(*make) (const double *numbers);
};

extern const ReadyMatrix ready_matrices[]; /* ends with a NULL name */

/* Makes a matrix with odd numbers of rows and columns, 63 at most. numbers has a value for each of
 * ready's numbers; values are clamped to their ranges. It may be NULL if ready has no numbers.
 * Returns NULL if memory runs out; free the matrix with filter_matrix_free. */
FilterMatrix *ready_matrix_make (const ReadyMatrix *ready, const double *numbers);

G_END_DECLS

#endif
