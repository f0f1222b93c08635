#include "pairs.h"

/* The pairs that no row has yet: a table of sizes[a] x sizes[b] for each two factors a < b. */
typedef struct {
  const int *sizes;
  int factors;
  gboolean *open[PAIRS_FACTORS_MAX][PAIRS_FACTORS_MAX];
  int left;
} Pairs;

static gboolean *
find (const Pairs *pairs, int a, int value_a, int b, int value_b)
{
  if (a > b)
    return find (pairs, b, value_b, a, value_a);
  return &pairs->open[a][b][value_a * pairs->sizes[b] + value_b];
}

static void
open_all (Pairs *pairs)
{
  for (int a = 0; a < pairs->factors; a++)
    for (int b = a + 1; b < pairs->factors; b++)
      {
        const int n = pairs->sizes[a] * pairs->sizes[b];

        pairs->open[a][b] = g_new (gboolean, n);
        for (int i = 0; i < n; i++)
          pairs->open[a][b][i] = TRUE;
        pairs->left += n;
      }
}

/* Returns how many open pairs value of factor forms with the values of the factors in chosen, a set
 * of bits. */
static int
count (const Pairs *pairs, const PairsRow *row, guint chosen, int factor, int value)
{
  int n = 0;

  for (int other = 0; other < pairs->factors; other++)
    if (other != factor && (chosen >> other & 1))
      n += *find (pairs, factor, value, other, row->values[other]);
  return n;
}

/* Sets two factors of row to the first open pair. Returns the set of these factors. */
static guint
begin (const Pairs *pairs, PairsRow *row)
{
  for (int a = 0; a < pairs->factors; a++)
    for (int b = a + 1; b < pairs->factors; b++)
      for (int i = 0; i < pairs->sizes[a] * pairs->sizes[b]; i++)
        if (pairs->open[a][b][i])
          {
            row->values[a] = i / pairs->sizes[b];
            row->values[b] = i % pairs->sizes[b];
            return 1u << a | 1u << b;
          }
  return 0;
}

/* Returns the value of factor that forms the most open pairs. Among equal ones, the choice rotates
 * with n, the row's number. */
static int
choose (const Pairs *pairs, const PairsRow *row, guint chosen, int factor, guint n)
{
  int best = -1, best_count = -1;

  for (int i = 0; i < pairs->sizes[factor]; i++)
    {
      const int value = (int) ((n + i) % pairs->sizes[factor]);
      const int met = count (pairs, row, chosen, factor, value);

      if (met > best_count)
        {
          best = value;
          best_count = met;
        }
    }
  return best;
}

static void
close_met (Pairs *pairs, const PairsRow *row)
{
  for (int a = 0; a < pairs->factors; a++)
    for (int b = a + 1; b < pairs->factors; b++)
      {
        gboolean *open = find (pairs, a, row->values[a], b, row->values[b]);

        pairs->left -= *open;
        *open = FALSE;
      }
}

GArray *
pairs_new (const int *sizes, int factors)
{
  GArray *rows = g_array_new (FALSE, TRUE, sizeof (PairsRow));
  Pairs pairs = { .sizes = sizes, .factors = factors };

  g_assert (factors >= 2 && factors <= PAIRS_FACTORS_MAX);
  open_all (&pairs);
  while (pairs.left > 0)
    {
      PairsRow row = { { 0 } };
      guint chosen = begin (&pairs, &row);

      for (int i = 0; i < factors; i++)
        if (! (chosen >> i & 1))
          {
            row.values[i] = choose (&pairs, &row, chosen, i, rows->len);
            chosen |= 1u << i;
          }
      close_met (&pairs, &row);
      g_array_append_val (rows, row);
    }
  for (int a = 0; a < factors; a++)
    for (int b = a + 1; b < factors; b++)
      g_free (pairs.open[a][b]);
  return rows;
}
