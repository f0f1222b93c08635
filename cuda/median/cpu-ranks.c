#include "cpu-codes.h"

#include <string.h>

enum { DIGITS = 8, BASE = 256 };

/* Sorts by one digit, which is counted already. Returns whether it had to. */
static gboolean
sort_by_digit (const MedianKey *from, int n, int digit, guint32 *counts, MedianKey *to)
{
  int shift = 8 * digit;
  guint32 first = 0;

  if (counts[from[0].key >> shift & (BASE - 1)] == (guint32) n)
    return FALSE;
  for (int i = 0; i < BASE; i++)
    {
      guint32 here = counts[i];

      counts[i] = first;
      first += here;
    }
  for (int i = 0; i < n; i++)
    to[counts[from[i].key >> shift & (BASE - 1)]++] = from[i];
  return TRUE;
}

/* Returns the sorted keys, by a radix sort from the lowest digit on. */
static const MedianKey *
sort (MedianKey *const *keys, int n)
{
  guint32 counts[DIGITS][BASE];
  int at = 0;

  memset (counts, 0, sizeof counts);
  for (int i = 0; i < n; i++)
    for (int digit = 0; digit < DIGITS; digit++)
      counts[digit][keys[0][i].key >> 8 * digit & (BASE - 1)]++;
  for (int digit = 0; digit < DIGITS; digit++)
    if (sort_by_digit (keys[at], n, digit, counts[digit], keys[1 - at]))
      at = 1 - at;
  return keys[at];
}

int
median_ranks_find (const MedianCodes *codes, int n, int levels, gpointer ranks)
{
  const MedianKey *sorted = sort (codes->keys, n);
  int rank = -1;

  for (int i = 0; i < n; i++)
    {
      if (i == 0 || sorted[i].key != sorted[i - 1].key)
        codes->values[++rank] = sorted[i].key;
      if (levels == 2)
        ((guint16 *) ranks)[sorted[i].place] = (guint16) median_swap (rank);
      else
        ((guint32 *) ranks)[sorted[i].place] = median_swap (rank);
    }
  return rank + 1;
}
