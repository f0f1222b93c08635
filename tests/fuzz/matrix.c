/* Matrices as text and as files: an accepted matrix is in range, is read back exactly from each
 * notation, and passes through all operations on matrices without harm. */
#include "fuzz.h"

#include "error.h"
#include "matrix-file.h"
#include "matrix-operations.h"
#include "matrix-text.h"
#include "temporary.h"

#include <math.h>

#define LARGEST 63

static void
check_matrix (const FilterMatrix *matrix, gboolean block)
{
  g_assert_true (matrix->rows >= 1 && matrix->rows <= LARGEST);
  g_assert_true (matrix->columns >= 1 && matrix->columns <= LARGEST);
  g_assert_true (block || (matrix->rows % 2 == 1 && matrix->columns % 2 == 1));
  g_assert_cmpint (matrix->n_values, ==, matrix->rows * matrix->columns);
  for (int i = 0; i < matrix->n_values; i++)
    g_assert_true (isfinite (matrix->values[i]));
}

static void
check_text (const FilterMatrix *matrix, char *text)
{
  g_autofree char *taken = text;
  g_autoptr (FilterMatrix) again = matrix_text_parse (taken, -1, LARGEST, NULL);

  g_assert_true (again && filter_matrix_equal (matrix, again));
}

static void
check_file (const FilterMatrix *matrix)
{
  g_autofree char *path = temporary_get_path ("matrix.csv");
  g_autoptr (FilterMatrix) again = NULL;

  g_assert_true (matrix_file_save (path, matrix, NULL));
  again = matrix_file_load (path, LARGEST, NULL);
  g_assert_true (again && filter_matrix_equal (matrix, again));
}

static void
check_operation (FilterMatrix *made, int rows, int columns)
{
  g_autoptr (FilterMatrix) matrix = made;

  g_assert_cmpint (matrix->rows, ==, rows);
  g_assert_cmpint (matrix->columns, ==, columns);
  g_assert_cmpint (matrix->n_values, ==, rows * columns);
}

static void
check_operations (const FilterMatrix *matrix)
{
  int rows = matrix->rows, columns = matrix->columns;

  check_operation (matrix_rotate (matrix), columns, rows);
  check_operation (matrix_mirror_horizontally (matrix), rows, columns);
  check_operation (matrix_mirror_vertically (matrix), rows, columns);
  check_operation (matrix_resize (matrix, columns, rows), columns, rows);
}

/* Reads text as a matrix, and checks the matrix if there is one. */
static FilterMatrix *
read_matrix (const char *text, gsize size)
{
  g_autoptr (GError) error = NULL;
  FilterMatrix *matrix = matrix_text_parse (text, (gssize) size, LARGEST, &error);

  g_assert_true (! matrix == (error != NULL));
  if (! matrix)
    {
      g_assert_true (g_error_matches (error, FX_ERROR, FX_ERROR_ARGUMENT));
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
      return NULL;
    }
  check_matrix (matrix, FALSE);
  check_text (matrix, matrix_text_print (matrix));
  check_text (matrix, matrix_text_print_line (matrix));
  check_text (matrix, matrix_text_print_csv (matrix));
  check_operations (matrix);
  return matrix;
}

/* Pastes the block into a matrix of one value, as far as there is room. */
static void
check_block (const char *text, gsize size)
{
  static const double one[] = { 1.0 };
  g_autoptr (FilterMatrix) small = filter_matrix_new (1, 1, 1, one);
  g_autoptr (FilterMatrix) block = matrix_text_parse_block (text, (gssize) size, LARGEST, NULL);
  g_autoptr (FilterMatrix) pasted = NULL;

  if (! block)
    return;
  check_matrix (block, TRUE);
  pasted = matrix_paste (small, block, 0, 0, LARGEST);
  check_matrix (pasted, FALSE);
}

/* The same text as a file. */
static void
check_as_file (const FilterMatrix *matrix, const char *text, gsize size)
{
  g_autofree char *path = temporary_set_contents ("text.csv", text, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (FilterMatrix) loaded = matrix_file_load (path, LARGEST, &error);

  g_assert_true (! matrix == ! loaded && ! loaded == (error != NULL));
  if (matrix)
    {
      g_assert_true (filter_matrix_equal (matrix, loaded));
      check_file (matrix);
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  const char *text = (const char *) data;
  g_autoptr (FilterMatrix) matrix = read_matrix (text, size);

  check_block (text, size);
  check_as_file (matrix, text, size);
  return 0;
}
