/* Files of matrices: a written file is read back, and a file without a matrix is refused. */
#include "matrix-file.h"

#include "error.h"
#include "matrix-text.h"
#include "test.h"

#define LARGEST  63
#define MATRICES 200

static char *folder, *path;

static FilterMatrix *
load (void)
{
  GError *error = NULL;
  FilterMatrix *matrix = matrix_file_load (path, LARGEST, &error);

  g_assert_no_error (error);
  return matrix;
}

static void
save (const FilterMatrix *matrix)
{
  GError *error = NULL;

  matrix_file_save (path, matrix, &error);
  g_assert_no_error (error);
}

static void
write_text (const char *text, gssize length)
{
  GError *error = NULL;

  g_file_set_contents (path, text, length, &error);
  g_assert_no_error (error);
}

/* message: a part of the error's message. */
static void
assert_refused (GQuark domain, const char *message)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (matrix_file_load (path, LARGEST, &error));
  g_test_message ("%s", error->message);
  g_assert_true (error->domain == domain);
  g_assert_nonnull (strstr (error->message, message));
}

static void
assert_written (const char *matrix_text, const char *expected)
{
  g_autoptr (FilterMatrix) matrix = matrix_text_parse (matrix_text, -1, LARGEST, NULL);
  g_autofree char *text = NULL;

  save (matrix);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, expected);
}

TEST (test_text, "/matrix-file/text")
{
  assert_written ("0 -1 0 -1 5 -1 0 -1 0", "0,-1,0\n-1,5,-1\n0,-1,0\n");
  assert_written ("1x3: 0,5 1e-30 2", "0.5,1e-30,2\n");
  assert_written ("3x1: 1 2 3", "1\n2\n3\n");
  assert_written ("1x9: 1 2 3 4 5 6 7 8 9", "1x9:1,2,3,4,5,6,7,8,9\n");
}

TEST (test_round_trip, "/matrix-file/round-trip")
{
  int i, k;

  for (i = 0; i < MATRICES; i++)
    {
      int rows = 2 * g_test_rand_int_range (0, 32) + 1;
      int columns = 2 * g_test_rand_int_range (0, 32) + 1;
      double values[LARGEST * LARGEST];
      g_autoptr (FilterMatrix) matrix = NULL, read = NULL;

      for (k = 0; k < rows * columns; k++)
        values[k] = g_test_rand_bit () ? g_test_rand_double_range (-1e3, 1e3)
                                       : g_test_rand_int_range (-3, 4);
      matrix = filter_matrix_new (rows, columns, rows * columns, values);
      save (matrix);
      read = load ();
      g_test_message ("%d x %d", rows, columns);
      g_assert_true (filter_matrix_equal (read, matrix));
    }
}

TEST (test_refusals, "/matrix-file/refusals")
{
  write_text ("1;2;3\n4;x;6\n7;8;9\n", -1);
  assert_refused (FX_ERROR, "The cell in row 2, column 2 is 'x', but must be a finite number");
  write_text ("1,2,3\n4,5\n7,8,9\n", -1);
  assert_refused (FX_ERROR, "Row 2 has 2 values, but must have 3, as row 1 has");
  write_text ("", -1);
  assert_refused (FX_ERROR, "There is no number in the text");
  write_text ("1,2\0,3", 7);
  assert_refused (FX_ERROR, "The text contains zero bytes");
  g_assert_cmpint (g_unlink (path), ==, 0);
  assert_refused (G_FILE_ERROR, "matrix.csv");
}

/* Not one byte of the sparse file is read. */
TEST (test_size, "/matrix-file/size")
{
  g_autofree char *blanks = g_strnfill (MATRIX_TEXT_MAX, ' ');
  g_autoptr (FilterMatrix) matrix = NULL;

  blanks[0] = '7';
  write_text (blanks, -1);
  matrix = load ();
  g_assert_cmpint (matrix->n_values, ==, 1);
  g_assert_cmpint (truncate (path, MATRIX_TEXT_MAX + 1), ==, 0);
  assert_refused (FX_ERROR, "has more than 33554432 bytes, which no matrix needs");
  g_assert_cmpint (truncate (path, (off_t) 1 << 40), ==, 0);
  assert_refused (FX_ERROR, "has more than 33554432 bytes, which no matrix needs");
}

/* A pipe that no one writes to would be waited for for ever. */
TEST (test_kinds, "/matrix-file/kinds")
{
  g_unlink (path);
  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  assert_refused (FX_ERROR, "is not a file");
  g_unlink (path);
  g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
  assert_refused (FX_ERROR, "is not a file");
  g_rmdir (path);
}

int
main (int argc, char **argv)
{
  int result;

  seed_test_init (&argc, &argv);
  folder = g_dir_make_tmp ("test-matrix-file-XXXXXX", NULL);
  g_assert_nonnull (folder);
  path = g_build_filename (folder, "matrix.csv", NULL);
  result = g_test_run ();
  g_unlink (path);
  g_rmdir (folder);
  g_free (path);
  g_free (folder);
  return result;
}
