/* The line below a matrix: its size, its sum, and how it is computed. */
#include "filter-words.h"

#include "filters.h"
#include "test.h"

/* Compares the line for a matrix, which is given as in a command. */
static void
check_line (const char *matrix, const char *line)
{
  g_autofree char *values = g_strconcat ("values=", matrix, NULL);
  char *words[] = { values, "device=cpu" };
  g_autoptr (GError) error = NULL;
  g_autoptr (FilterSettings) settings = filter_settings_from_words (&convolution_matrix, words,
                                                                    G_N_ELEMENTS (words), &error);
  g_autofree char *text = NULL;

  g_assert_no_error (error);
  text = convolution_matrix.describe (settings);
  g_assert_cmpstr (text, ==, line);
}

TEST (test_taps, "/matrix-facts/taps")
{
  check_line ("3x3: 0 -1 0 -1 5 -1 0 -1 0", "3 x 3, sum 1; one pass over 5 values");
  check_line ("1x3: 0 -2.5 0", "1 x 3, sum -2.5; one pass over 1 value");
  check_line ("1x1: 0", "1 x 1, sum 0; one pass over 0 values");
}

/* Returns a matrix of ones, or of numbers without a rule, and their sum. */
static char *
make_square (int side, gboolean ones, int *sum)
{
  GString *text = g_string_new (NULL);
  int i;

  *sum = 0;
  g_string_printf (text, "%dx%d:", side, side);
  for (i = 0; i < side * side; i++)
    {
      int value = ones ? 1 : i * i % 97 % 31 + 1;

      *sum += value;
      g_string_append_printf (text, " %d", value);
    }
  return g_string_free (text, FALSE);
}

static void
check_square (int side, gboolean ones, const char *rest)
{
  int sum;
  g_autofree char *square = make_square (side, ones, &sum);
  g_autofree char *line = g_strdup_printf ("%d x %d, sum %d; %s", side, side, sum, rest);

  check_line (square, line);
}

TEST (test_products, "/matrix-facts/products")
{
  check_square (15, TRUE, "2 passes along rows and columns");
}

TEST (test_fourier, "/matrix-facts/fourier")
{
  check_square (61, FALSE, "by Fourier transform");
}
