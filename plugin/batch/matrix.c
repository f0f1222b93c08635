/* Reads and checks a matrix for blur.sh:
 *
 *   cuda-blur-matrix FILE DIVISOR OFFSET
 *
 * prints three lines, as filter-words.h and Script-Fu read them: ROWSxCOLUMNS; the values; and
 * DIVISOR OFFSET. Standard error tells in one sentence what is wrong.
 *
 * Script-Fu hands values on in single precision. So that they mean the same on every road they are
 * cut to it here. */
#include "convolution-matrix.h"
#include "convolve.h"
#include "filter-words.h"
#include "matrix-file.h"

#include <stdio.h>

static guint
find (const char *name)
{
  return (guint) filter_find_property (&convolution_matrix, name);
}

static FilterSettings *
read_settings (char **argv, GError **error)
{
  g_autofree char *divisor = g_strconcat ("divisor=", argv[2], NULL);
  g_autofree char *offset = g_strconcat ("offset=", argv[3], NULL);
  char *const words[] = { divisor, offset };
  g_autoptr (FilterMatrix) matrix = matrix_file_load (argv[1], CONVOLVE_SIZE_MAX, error);
  g_autoptr (FilterSettings) settings = NULL;

  if (! matrix)
    return NULL;
  settings = filter_settings_from_words (&convolution_matrix, words, G_N_ELEMENTS (words), error);
  if (! settings)
    return NULL;
  filter_settings_set_matrix (settings, find ("values"), matrix);
  return filter_settings_check (settings, error) ? g_steal_pointer (&settings) : NULL;
}

static void
print_number (double number)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  printf ("%s ", g_ascii_dtostr (text, sizeof text, number));
}

static void
print_settings (const FilterSettings *settings)
{
  const FilterMatrix *matrix = filter_settings_get_matrix (settings, find ("values"));
  int i;

  printf ("%dx%d\n", matrix->rows, matrix->columns);
  for (i = 0; i < matrix->n_values; i++)
    print_number ((float) matrix->values[i]);
  printf ("\n");
  print_number (filter_settings_get (settings, find ("divisor")));
  print_number (filter_settings_get (settings, find ("offset")));
  printf ("\n");
}

int
main (int argc, char **argv)
{
  g_autoptr (FilterSettings) settings = NULL;
  g_autoptr (GError) error = NULL;

  if (argc != 4)
    return 2;
  settings = read_settings (argv, &error);
  if (! settings)
    {
      fprintf (stderr, "%s\n", error->message);
      return 1;
    }
  print_settings (settings);
  return 0;
}
