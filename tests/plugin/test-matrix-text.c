/* Matrices as text: the texts that are accepted, those that are refused and with which message, and
 * that written text is read back exactly. */
#include "matrix-text.h"

#include "error.h"
#include "test.h"

#include <locale.h>

#define LARGEST 63

#define HOSTILE_MAX (1 << 20) /* bytes */
#define MATRICES    500
#define MUTATIONS   20000

static FilterMatrix *
read_text (const char *text)
{
  g_autoptr (GError) error = NULL;
  FilterMatrix *matrix = matrix_text_parse (text, -1, LARGEST, &error);

  g_test_message ("%.200s", text);
  g_assert_no_error (error);
  return matrix;
}

static void
assert_read (const char *text, int rows, int columns, const double *values)
{
  const FilterMatrix expected = { rows, columns, rows * columns, values };
  g_autoptr (FilterMatrix) matrix = read_text (text);

  g_assert_cmpint (matrix->rows, ==, rows);
  g_assert_cmpint (matrix->columns, ==, columns);
  g_assert_true (filter_matrix_equal (matrix, &expected));
}

static void
assert_refused (const char *text, const char *message)
{
  g_autoptr (GError) error = NULL;

  g_test_message ("%.200s", text);
  g_assert_null (matrix_text_parse (text, -1, LARGEST, &error));
  g_assert_error (error, FX_ERROR, FX_ERROR_ARGUMENT);
  g_assert_cmpstr (error->message, ==, message);
}

/* Separators, line ends, blanks, signs. */
TEST (test_separators, "/matrix-text/separators")
{
  static const double sharpen[] = { 0, -1, 0, -1, 5, -1, 0, -1, 0 };
  static const char *const texts[] = {
    "0 -1 0\n-1 5 -1\n0 -1 0",
    "0\t-1\t0\n-1\t5\t-1\n0\t-1\t0\n",
    "0,-1,0\n-1,5,-1\n0,-1,0\n",
    "0, -1, 0\n-1, 5, -1\n0, -1, 0\n",
    "0;-1;0\r\n-1;5;-1\r\n0;-1;0\r\n",
    "0 ; -1 ; 0\r-1 ; 5 ; -1\r0 ; -1 ; 0",
    "\n\n  0   -1 0  \n\n -1\t 5 -1\n 0 -1 0 \n \n",
    "0 -1 0 -1 5 -1 0 -1 0",
    "0,-1,0,-1,5,-1,0,-1,0",
    "3x3: 0 -1 0 -1 5 -1 0 -1 0",
    "3x3:0,-1,0,-1,5,-1,0,-1,0",
    "3x3:\n0 -1 0\n-1 5 -1\n0 -1 0",
    "\357\273\2770;-1;0\n-1;5;-1\n0;-1;0",
    "0 -1 0\n-1 +5 -1\n0 -1 -0",
    "0. -1.0 .0\n-1e0 0.5E1 -1\n0 -10e-1 0",
    "0,0 -1,0 0\n-1,0 5,0 -1\n0 -1 0",
    "0,0;-1,0;0\n-1,0;5,0;-1,00\n0;-1;0e5",
    "0.0,-1.0,0\n-1,5,-1\n0,-1,0",
    "0.0, -1.0, 0\n-1, 5, -1\n0, -1, 0",
    "0.0; -1.0; 0\n-1; 5; -1\n0; -1; 0",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    assert_read (texts[i], 3, 3, sharpen);
}

/* The meaning of commas between digits. */
TEST (test_decimal, "/matrix-text/decimal")
{
  static const double halves[] = { 0.5, 1.5, 2.5 };
  static const double nine[] = { 0.5, 1, 2.25, 3, 1e-3, 4, 0, -0.5, 0 };
  static const double whole[] = { 0, 5, 1, 5, 2 };

  assert_read ("0,5 1,5 2,5", 1, 3, halves);
  assert_read ("0,5;1,5;2,5", 1, 3, halves);
  assert_read ("0,5\t1,5\t2,5", 1, 3, halves);
  assert_read ("0.5,1.5,2.5", 1, 3, halves);
  assert_read ("0.5, 1.5, 2.5", 1, 3, halves);
  assert_read ("0.5 , 1.5 ,2.5", 1, 3, halves);
  assert_read ("1x3: 0,5 1,5 2,5", 1, 3, halves);
  assert_read ("0,5,1,5,2", 1, 5, whole);
  assert_read ("0,5 1 2,25\n3 0,1e-2 4\n0 -,5 0", 3, 3, nine);
}

/* A column as a spreadsheet with decimal commas copies it. */
TEST (test_decimal_column, "/matrix-text/decimal-column")
{
  static const double halves[] = { 0.5, 1.5, 0.5 }, mixed[] = { -0.25, 3, 0.5 };

  assert_read ("0,5\n1,5\n0,5", 3, 1, halves);
  assert_read ("0,5\r\n1,5\r\n0,5\r\n", 3, 1, halves);
  assert_read ("0,5", 1, 1, halves);
  assert_read ("-0,25\n3\n,5", 3, 1, mixed);
}

/* A single line is square if it can be and states no other size. */
TEST (test_one_line, "/matrix-text/one-line")
{
  static const double ones[49] = { [0] = 7, [48] = -7 };
  static const double one[] = { 2.5 };
  GString *text = g_string_new ("7");
  g_autofree char *row = NULL, *column = NULL;

  for (int i = 1; i < 49; i++)
    g_string_append (text, i < 48 ? " 0" : " -7");
  row = g_strconcat ("1x49: ", text->str, NULL);
  column = g_strconcat ("49x1: ", text->str, NULL);
  assert_read (text->str, 7, 7, ones);
  assert_read (row, 1, 49, ones);
  assert_read (column, 49, 1, ones);
  g_string_append (text, " 1 1");
  assert_read ("2.5", 1, 1, one);
  g_strdelimit (text->str, " ", '\n');
  g_assert_nonnull (strchr (text->str, '\n'));
  g_string_free (text, TRUE);
  assert_read ("7 0 0", 1, 3, ones);
  assert_read ("7\n0\n0", 3, 1, ones);
}

TEST (test_refusals, "/matrix-text/refusals")
{
  static const struct {
    const char *text, *message;
  } cases[] = {
    { "", "There is no number in the text" },
    { " \n\t\r\n ", "There is no number in the text" },
    { "3x3:", "There is no number in the text" },
    { "1 2 3\n4 5\n7 8 9", "Row 2 has 2 values, but must have 3, as row 1 has" },
    { "1 2 3\n4\n7 8 9", "Row 2 has 1 value, but must have 3, as row 1 has" },
    { "1 2 3\n\n4 5 6\n7 8 9 10", "Row 3 has 4 values, but must have 3, as row 1 has" },
    { "1 2 3\n4 x 6\n7 8 9", "The cell in row 2, column 2 is 'x', but must be a finite number" },
    { "1,2,3\n4,,6\n7,8,9", "The cell in row 2, column 2 is empty, but must be a number" },
    { "1;2;3;\n4;5;6;\n", "The cell in row 1, column 4 is empty, but must be a number" },
    { ";1;2", "The cell in row 1, column 1 is empty, but must be a number" },
    { "1 2 nan", "The cell in row 1, column 3 is 'nan', but must be a finite number" },
    { "1 inf 3", "The cell in row 1, column 2 is 'inf', but must be a finite number" },
    { "-infinity", "The cell in row 1, column 1 is '-infinity', but must be a finite number" },
    { "1 1e999 3", "The cell in row 1, column 2 is '1e999', but must be a finite number" },
    { "0x10", "The cell in row 1, column 1 is '0x10', but must be a finite number" },
    { "1/9", "The cell in row 1, column 1 is '1/9', but must be a finite number" },
    { "2*3", "The cell in row 1, column 1 is '2*3', but must be a finite number" },
    { "=1+1", "The cell in row 1, column 1 is '=1+1', but must be a finite number" },
    { "$(id)", "The cell in row 1, column 1 is '$(id)', but must be a finite number" },
    { "(system \"id\")", "The cell in row 1, column 1 is '(system', but must be a finite number" },
    { "[1 2 3]", "The cell in row 1, column 1 is '[1', but must be a finite number" },
    { "1e", "The cell in row 1, column 1 is '1e', but must be a finite number" },
    { "1e+", "The cell in row 1, column 1 is '1e+', but must be a finite number" },
    { ".", "The cell in row 1, column 1 is '.', but must be a finite number" },
    { "-", "The cell in row 1, column 1 is '-', but must be a finite number" },
    { "--1", "The cell in row 1, column 1 is '--1', but must be a finite number" },
    { "1.2.3", "The cell in row 1, column 1 is '1.2.3', but must be a finite number" },
    { "1,2,3;4", "The cell in row 1, column 1 is '1,2,3', but must be a finite number" },
    { "0123456789012345678901234x",
      "The cell in row 1, column 1 is '012345678901234567890123', but must be a finite number" },
    { "1.5 2,5 3", "Write all numbers with decimal points or all with commas" },
    { "1.5;2,5;3", "Write all numbers with decimal points or all with commas" },
    { "0, 1,5, 2",
      "Some commas stand between digits and some before blanks: separate the numbers by "
      "semicolons" },
    { "0.5,1\n1.5,2\n0.5,1", "columns is 2, but must be an odd number from 1 to 63" },
    { "0,-1\n1,5\n0,-1", "columns is 2, but must be an odd number from 1 to 63" },
    { "0, 1\n1, 5\n0, 1", "columns is 2, but must be an odd number from 1 to 63" },
    { "1 2", "columns is 2, but must be an odd number from 1 to 63" },
    { "1\n2", "rows is 2, but must be an odd number from 1 to 63" },
    { "1 2 3 4", "columns is 4, but must be an odd number from 1 to 63" },
    { "0x3: 1", "rows is 0, but must be an odd number from 1 to 63" },
    { "3x65: 1", "columns is 65, but must be an odd number from 1 to 63" },
    { "9999x9999: 1", "rows is 9999, but must be an odd number from 1 to 63" },
    { "99999x1: 1", "The cell in row 1, column 1 is '99999x1:', but must be a finite number" },
    { "3x3: 1 2 3", "There are 3 values, but a matrix of 3x3 needs 9" },
    { "3x3: 1 2 3\n4 5 6", "The text says 3x3, but its values are 2x3" },
    { "3x1: 1 2 3\n", NULL },
    { "1x3: 1\n2\n3", "The text says 1x3, but its values are 3x1" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    if (cases[i].message)
      assert_refused (cases[i].text, cases[i].message);
    else
      filter_matrix_free (read_text (cases[i].text));
}

/* rows lines of columns ones, with separator between them. */
static char *
make_ones (int rows, int columns, const char *separator)
{
  GString *text = g_string_new (NULL);

  for (int i = 0; i < rows * columns; i++)
    g_string_append_printf (text, "%s1", i == 0 ? "" : i % columns ? separator : "\n");
  return g_string_free (text, FALSE);
}

TEST (test_large, "/matrix-text/large")
{
  g_autofree char *most = make_ones (63, 63, " "), *line = make_ones (1, 63 * 63, ",");
  g_autofree char *rows = make_ones (64, 1, " "), *more = make_ones (65, 65, ";");
  g_autofree char *square = make_ones (1, 65 * 65, " ");
  g_autoptr (FilterMatrix) read = read_text (most), cut = read_text (line);

  g_assert_cmpint (read->n_values, ==, 63 * 63);
  g_assert_true (filter_matrix_equal (read, cut));
  assert_refused (rows, "rows is 64, but must be an odd number from 1 to 63");
  assert_refused (more, "rows is 65, but must be an odd number from 1 to 63");
  assert_refused (square, "rows is 65, but must be an odd number from 1 to 63");
}

/* More bytes than are read; bytes that end a text; bytes that are no text; long runs of all
 * separators, whose time must not grow faster than their length. */
/* The largest matrix. */
TEST (test_largest, "/matrix-text/largest")
{
  const int n = 1023 * 1023;
  g_autofree double *values = g_new (double, n);
  g_autoptr (FilterMatrix) matrix = NULL, read = NULL, read_line = NULL;
  g_autofree char *text = NULL, *line = NULL;

  for (int i = 0; i < n; i++)
    values[i] = i % 1000 / 8.0;
  matrix = filter_matrix_new (1023, 1023, n, values);
  text = matrix_text_print (matrix);
  read = matrix_text_parse (text, -1, 1023, NULL);
  g_assert_true (filter_matrix_equal (matrix, read));
  line = matrix_text_print_line (matrix);
  read_line = matrix_text_parse (line, -1, 1023, NULL);
  g_assert_true (filter_matrix_equal (matrix, read_line));
}

TEST (test_hostile, "/matrix-text/hostile")
{
  static const char *const fillings[] = { " ", ",", ";",  "\n",   "1",  "1 ",   "1,", "1\n", ".",
                                          "-", "e", "\t", "\300", "1x", "1  ,", "9",  ", " };
  static const char zero[] = "1\0002";
  g_autofree char *text = g_malloc (MATRIX_TEXT_MAX + 2);
  g_autoptr (GError) error = NULL;
  gsize i, j;

  memset (text, ' ', MATRIX_TEXT_MAX + 1);
  text[0] = '1';
  text[MATRIX_TEXT_MAX + 1] = 0;
  assert_refused (text, "The text has more than 33554432 bytes");
  text[MATRIX_TEXT_MAX] = 0;
  filter_matrix_free (read_text (text));
  g_assert_null (matrix_text_parse (text, 1 << 30, LARGEST, &error));
  g_clear_error (&error);
  g_assert_null (matrix_text_parse (zero, sizeof zero - 1, LARGEST, &error));
  g_assert_cmpstr (error->message, ==, "The text contains zero bytes");
  g_clear_error (&error);
  for (i = 0; i < G_N_ELEMENTS (fillings); i++)
    {
      gsize length = strlen (fillings[i]);

      for (j = 0; j < HOSTILE_MAX; j++)
        text[j] = fillings[i][j % length];
      text[HOSTILE_MAX - 1] = 'x';
      g_assert_null (matrix_text_parse (text, HOSTILE_MAX, LARGEST, &error));
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
      g_assert_cmpuint (strlen (error->message), <, 400);
      g_clear_error (&error);
    }
}

/* Any double of the finite ones: of random bits, or as people write them. */
static double
make_number (void)
{
  union {
    guint64 bits;
    double number;
  } any = { (guint64) (guint32) g_test_rand_int () << 32 | (guint32) g_test_rand_int () };

  switch (g_test_rand_int_range (0, 4))
    {
    case 0:
      return isfinite (any.number) ? any.number : 0.0;
    case 1:
      return g_test_rand_int_range (-9, 10);
    case 2:
      return g_test_rand_int_range (-999, 1000) / 100.0;
    default:
      return g_test_rand_double_range (-1.0, 1.0);
    }
}

static FilterMatrix *
make_matrix (void)
{
  int most = g_test_rand_bit () ? 5 : 32;
  int rows = 2 * g_test_rand_int_range (0, most) + 1;
  int columns = 2 * g_test_rand_int_range (0, most) + 1, i;
  g_autofree double *values = g_new (double, rows *columns);

  for (i = 0; i < rows * columns; i++)
    values[i] = make_number ();
  return filter_matrix_new (rows, columns, rows * columns, values);
}

static void
assert_returns (const FilterMatrix *matrix, const char *text)
{
  g_autoptr (FilterMatrix) read = read_text (text);

  g_assert_true (filter_matrix_equal (read, matrix));
  g_assert_cmpmem (read->values, sizeof (double) * read->n_values, matrix->values,
                   sizeof (double) * matrix->n_values); /* the sign of 0 as well */
}

TEST (test_round_trips, "/matrix-text/round-trips")
{
  static const double nine[9] = { 0.1 };
  static const FilterMatrix row = { 1, 9, 9, nine }, square = { 3, 3, 9, nine };
  g_autofree char *of_row = matrix_text_print (&row), *of_square = matrix_text_print (&square);

  g_assert_cmpstr (of_row, ==, "1x9: 0.1 0 0 0 0 0 0 0 0");
  g_assert_cmpstr (of_square, ==, "0.1 0 0\n  0 0 0\n  0 0 0");
  for (int i = 0; i < MATRICES; i++)
    {
      g_autoptr (FilterMatrix) matrix = make_matrix ();
      g_autofree char *lines = matrix_text_print (matrix), *line = matrix_text_print_line (matrix);

      assert_returns (matrix, lines);
      assert_returns (matrix, line);
      g_strdelimit (strchr (line, ' ') + 1, " ", i % 2 ? '\t' : ';');
      assert_returns (matrix, line);
    }
}

/* A text with some bytes changed is read, or refused in one sentence; either way nothing breaks. */
TEST (test_mutations, "/matrix-text/mutations")
{
  static const char bytes[] = "0123456789.,;:+-eEx \t\r\n\377\303\244\1";
  int i, n;

  for (i = 0; i < MUTATIONS; i++)
    {
      char text[] = "3x3: 0 -1.5 0; -1 5e0 -1\n0 -1, 0,5";
      g_autoptr (GError) error = NULL;
      g_autoptr (FilterMatrix) matrix = NULL;

      for (n = g_test_rand_int_range (0, 8); n > 0; n--)
        text[g_test_rand_int_range (0, sizeof text - 1)] =
          bytes[g_test_rand_int_range (0, sizeof bytes - 1)];
      matrix = matrix_text_parse (text, g_test_rand_int_range (0, sizeof text), LARGEST, &error);
      g_assert_true ((matrix != NULL) == (error == NULL));
      g_assert_true (
        ! error || (g_utf8_validate (error->message, -1, NULL) && ! strchr (error->message, '\n')));
      g_assert_true (! matrix || matrix->n_values == matrix->rows * matrix->columns);
    }
}

/* Any number of rows and columns, and a line is a row. */
TEST (test_block, "/matrix-text/block")
{
  static const double values[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };
  static const struct {
    const char *text;
    int rows, columns; /* 0: is refused */
  } cases[] = {
    { "1 2 3 4 5 6 7 8 9", 1, 9 },
    { "1\t2\n3\t4\n", 2, 2 },
    { "1;2", 1, 2 },
    { "1 2 3\n4 5 6\n7 8 9", 3, 3 },
    { "1\n2\n3\n4\n", 4, 1 },
    { "1 2\n3", 0, 0 },
    { "1 2 3 4 5 6 7 8 9 10", 0, 0 },
    { "words", 0, 0 },
    { "1, 2\n3, 4", 2, 2 },
    { "1.0,2\n3.0,4", 2, 2 },
    { "1,2,3\n4,5,6", 2, 3 },
    { "1,0\n2,0\n3,0", 3, 1 },
    { "1,0", 1, 1 },
    { "1\n2,0\n", 2, 1 },
    { "1;2\n3;4,0", 2, 2 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const FilterMatrix expected = { cases[i].rows, cases[i].columns,
                                      cases[i].rows * cases[i].columns, values };
      g_autoptr (GError) error = NULL;
      g_autoptr (FilterMatrix) matrix = matrix_text_parse_block (cases[i].text, -1, 9, &error);

      g_test_message ("%s", cases[i].text);
      g_assert_true ((matrix != NULL) == (cases[i].rows > 0));
      g_assert_true ((error != NULL) == (cases[i].rows == 0));
      g_assert_true (! matrix || filter_matrix_equal (matrix, &expected));
    }
}

int
main (int argc, char **argv)
{
  setlocale (LC_NUMERIC, "de_DE.UTF-8"); /* if there is one */
  seed_test_init (&argc, &argv);
  return g_test_run ();
}
