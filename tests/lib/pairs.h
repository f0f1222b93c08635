/* Pairwise combinations: each pair of values of two different factors occurs in at least one row,
 * with far fewer rows than the full product. This finds faults caused by one value, or by two
 * together, and most faults are of that kind. The rows are always the same. */
#pragma once

#include <glib.h>

#define PAIRS_FACTORS_MAX 8

typedef struct {
  int values[PAIRS_FACTORS_MAX]; /* one value of each factor, counted from 0 */
} PairsRow;

/* Returns rows of type PairsRow for factors factors, 2 to PAIRS_FACTORS_MAX. sizes has the number
 * of values of each factor, at least 1. Free the array with g_array_unref. */
GArray *pairs_new (const int *sizes, int factors);
