/* Combinations of values, chosen pairwise: every two values of two factors meet in some row, at a
 * fraction of the full product's number of rows. What goes wrong with one value alone, or with two
 * together, is found; most faults are of that kind. Always the same rows. */
#ifndef PAIRS_H
#define PAIRS_H

#include <glib.h>

G_BEGIN_DECLS

#define PAIRS_FACTORS_MAX 8

typedef struct {
  int values[PAIRS_FACTORS_MAX]; /* one of each factor, from 0 */
} PairsRow;

/* sizes: of each of the factors, at most PAIRS_FACTORS_MAX, how many values it has, at least 1.
 * Returns the rows, PairsRow, to be unreferenced by the caller. */
GArray *pairs_new (const int *sizes, int factors);

G_END_DECLS

#endif
