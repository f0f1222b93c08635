#include "convolve-gpu.h"

/* Columns of the matrix that are equal except for the sign are processed once, with the sum of
 * their samples. */
typedef struct {
  int first; /* the first of these columns */
  int sign;  /* 1 or -1: the sign of this column, relative to the first */
} Likeness;

static float
specialise_get_weight (const ConvolveMatrix *matrix, int row, int column)
{
  return matrix->weights[row * matrix->columns + column];
}

/* Returns 1 or -1 if the columns are equal except for that sign, otherwise 0. */
static int
compare_columns (const ConvolveMatrix *matrix, int a, int b)
{
  gboolean equal = TRUE, opposite = TRUE;

  for (int j = 0; j < matrix->rows && (equal || opposite); j++)
    {
      equal = equal && specialise_get_weight (matrix, j, a) == specialise_get_weight (matrix, j, b);
      opposite = opposite &&
                 specialise_get_weight (matrix, j, a) == -specialise_get_weight (matrix, j, b);
    }
  return equal ? 1 : opposite ? -1 : 0;
}

/* Returns one entry per column. */
static Likeness *
find_likeness (const ConvolveMatrix *matrix)
{
  Likeness *alike = g_new (Likeness, matrix->columns);
  int first, sign;

  for (int i = 0; i < matrix->columns; i++)
    {
      for (first = 0; (sign = compare_columns (matrix, first, i)) == 0;)
        first++;
      alike[i] = (Likeness) { first, sign };
    }
  return alike;
}

static int
specialise_count_taps (const ConvolveMatrix *matrix, const Likeness *alike)
{
  int taps = 0, i, j;

  for (i = 0; i < matrix->columns; i++)
    for (j = 0; j < matrix->rows && alike[i].first == i; j++)
      taps += specialise_get_weight (matrix, j, i) != 0.0f;
  return taps;
}

/* Appends the sum of the samples of all columns like this one, q rows below the first. */
static void
append_sample (const ConvolveMatrix *matrix, const Likeness *alike, int column, int q,
               GString *text)
{
  g_string_append_printf (text, " { const float s = S (%d, %d)", q, column);
  for (int other = column + 1; other < matrix->columns; other++)
    if (alike[other].first == column)
      g_string_append_printf (text, " %c S (%d, %d)", alike[other].sign > 0 ? '+' : '-', q, other);
  g_string_append (text, "; \\\n");
}

/* Appends the contributions of a column's samples to the run's sums. */
static void
append_column (const ConvolveMatrix *matrix, const Likeness *alike, int column, GString *text)
{
  const int run = CONVOLVE_SPECIALISED_RUN;
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  for (int q = 0; q < matrix->rows + run - 1; q++)
    {
      gboolean read = FALSE;

      for (int p = MAX (0, q - matrix->rows + 1); p <= MIN (q, run - 1); p++)
        {
          float weight = specialise_get_weight (matrix, q - p, column);

          if (weight == 0.0f)
            continue;
          if (! read)
            append_sample (matrix, alike, column, q, text);
          read = TRUE;
          g_string_append_printf (text, " sum[%d] += %sf * s; \\\n", p,
                                  g_ascii_formatd (number, sizeof number, "%.9e", weight));
        }
      if (read)
        g_string_append (text, " } \\\n");
    }
}

gboolean
convolve_can_specialise (const ConvolveMatrix *matrix)
{
  g_autofree Likeness *alike = NULL;

  if (matrix->taps <= CONVOLVE_SPECIALISED_TAPS)
    return TRUE;
  alike = find_likeness (matrix);
  return specialise_count_taps (matrix, alike) <= CONVOLVE_SPECIALISED_TAPS;
}

char *
convolve_specialise (const ConvolveMatrix *matrix)
{
  g_autofree Likeness *alike = find_likeness (matrix);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "#define ROWS %d\n#define COLUMNS %d\n#define TAPS \\\n",
                          matrix->rows, matrix->columns);
  for (int i = 0; i < matrix->columns; i++)
    if (alike[i].first == i)
      append_column (matrix, alike, i, text);
  g_string_append (text, "\n");
  return g_string_free (text, FALSE);
}
