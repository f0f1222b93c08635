/* Tests pairwise combinations: each pair of values occurs, in few rows. */
#include "pairs.h"
#include "test.h"

static gboolean
do_meet (const GArray *rows, int a, int value_a, int b, int value_b)
{
  for (guint i = 0; i < rows->len; i++)
    {
      const PairsRow *row = &g_array_index (rows, PairsRow, i);

      if (row->values[a] == value_a && row->values[b] == value_b)
        return TRUE;
    }
  return FALSE;
}

TEST (test_meet, "/pairs/meet")
{
  static const struct {
    int sizes[5];
    guint most;
  } cases[] = {
    { { 12, 6, 4, 3, 4 }, 80 },
    { { 6, 4, 2, 2, 4 }, 30 },
    { { 1, 2, 3, 1, 5 }, 20 },
  };

  for (gsize n = 0; n < G_N_ELEMENTS (cases); n++)
    {
      const int *sizes = cases[n].sizes;
      g_autoptr (GArray) rows = pairs_new (sizes, 5);

      for (int a = 0; a < 5; a++)
        for (int b = a + 1; b < 5; b++)
          for (int i = 0; i < sizes[a] * sizes[b]; i++)
            g_assert_true (do_meet (rows, a, i / sizes[b], b, i % sizes[b]));
      g_assert_cmpuint (rows->len, <=, cases[n].most);
    }
}
