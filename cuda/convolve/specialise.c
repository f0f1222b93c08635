#include "specialise.h"

#include "gpu-run.h"

#include <math.h>

/* Multiplications of a sample. More are not compiled within half a second; of a dense 21x21 matrix
 * the generic program's sums take no longer. */
#define TAPS_MAX 225

static float
get_weight (const ConvolveMatrix *matrix, int row, int column)
{
  return matrix->weights[row * matrix->columns + column];
}

/* Columns of the matrix that are the same but for a sign are one, of the sum of their samples. 1,
 * -1; 0: they are not. */
static int
compare_columns (const ConvolveMatrix *matrix, int a, int b)
{
  gboolean equal = TRUE, opposite = TRUE;
  int j;

  for (j = 0; j < matrix->rows; j++)
    {
      equal = equal && get_weight (matrix, j, a) == get_weight (matrix, j, b);
      opposite = opposite && get_weight (matrix, j, a) == -get_weight (matrix, j, b);
    }
  return equal ? 1 : opposite ? -1 : 0;
}

/* The sum of the samples of all columns like this one, q rows below the first. */
static void
append_sample (const ConvolveMatrix *matrix, int column, int q, GString *text)
{
  int other;

  g_string_append_printf (text, " { const float s = S (%d, %d)", q, column);
  for (other = column + 1; other < matrix->columns; other++)
    {
      int sign = compare_columns (matrix, column, other);

      if (sign != 0)
        g_string_append_printf (text, " %c S (%d, %d)", sign > 0 ? '+' : '-', q, other);
    }
  g_string_append (text, "; \\\n");
}

/* What a sample adds to the run's sums. */
static void
append_column (const ConvolveMatrix *matrix, int column, int run, GString *text)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  int q, p;

  for (q = 0; q < matrix->rows + run - 1; q++)
    {
      gboolean read = FALSE;

      for (p = MAX (0, q - matrix->rows + 1); p <= MIN (q, run - 1); p++)
        {
          float weight = get_weight (matrix, q - p, column);

          if (weight == 0.0f)
            continue;
          if (! read)
            append_sample (matrix, column, q, text);
          read = TRUE;
          g_string_append_printf (text, " sum[%d] += %sf * s; \\\n", p,
                                  g_ascii_formatd (number, sizeof number, "%.9e", weight));
        }
      if (read)
        g_string_append (text, " } \\\n");
    }
}

/* Whether a column before it has been made with it. */
static gboolean
is_made (const ConvolveMatrix *matrix, int column)
{
  int other;

  for (other = 0; other < column; other++)
    if (compare_columns (matrix, other, column) != 0)
      return TRUE;
  return FALSE;
}

gboolean
convolve_is_worth_specialising (const ConvolveMatrix *matrix)
{
  int taps = 0, i, j;

  for (i = 0; i < matrix->columns; i++)
    for (j = 0; j < matrix->rows && ! is_made (matrix, i); j++)
      taps += get_weight (matrix, j, i) != 0.0f;
  return taps <= TAPS_MAX;
}

void
convolve_define_taps (const ConvolveMatrix *matrix, int run, GString *text)
{
  int i;

  g_string_append_printf (text, "#define ROWS %d\n#define COLUMNS %d\n#define TAPS \\\n",
                          matrix->rows, matrix->columns);
  for (i = 0; i < matrix->columns; i++)
    if (! is_made (matrix, i))
      append_column (matrix, i, run, text);
  g_string_append (text, "\n");
}
