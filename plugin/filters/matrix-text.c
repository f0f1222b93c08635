#include "matrix-text.h"

#include "error.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define BLANKS     " \t"
#define SEPARATORS BLANKS ",;"
#define SHOWN      24 /* characters of a cell that a message shows */
#define MAX_DIGITS 17 /* enough to distinguish any two numbers */
#define CELL       64 /* characters of a usual number, and more */

static gboolean
is_in (char c, const char *set)
{
  return c && strchr (set, c);
}

/* The meaning of commas. */

typedef struct {
  gboolean points;
  gboolean between_digits, before_blanks, before_signs; /* commas */
  gboolean others; /* blanks or semicolons that separate numbers by themselves */
  int most;        /* the most commas in a line */
} Marks;

/* Returns whether the blanks from p on separate two cells. Blanks next to a comma or a semicolon,
 * or at the ends of a line, do not. */
static gboolean
separates (const char *line, const char *p)
{
  if (p == line || is_in (p[-1], SEPARATORS))
    return FALSE;
  p += strspn (p, BLANKS);
  return *p && ! is_in (*p, ",;");
}

static void
look_at_line (const char *line, Marks *marks)
{
  const char *p;
  int commas = 0;

  for (p = line; *p; p++)
    {
      commas += *p == ',';
      marks->points |= *p == '.';
      marks->others |= *p == ';' || (is_in (*p, BLANKS) && separates (line, p));
      if (*p == ',' && p > line && g_ascii_isdigit (p[-1]) && g_ascii_isdigit (p[1]))
        marks->between_digits = TRUE;
      else if (*p == ',' && is_in (p[1], BLANKS))
        marks->before_blanks = TRUE;
      else if (*p == ',' && ! g_ascii_isdigit (p[1]))
        marks->before_signs = TRUE;
    }
  marks->most = MAX (marks->most, commas);
}

/* Returns whether the text may be a column of decimal commas, as a spreadsheet copies it: one
 * number such as "0,5" per line. */
static gboolean
is_decimal_column (const Marks *marks)
{
  return marks->most == 1 && ! marks->points && ! marks->before_signs;
}

/* Sets decimal to whether commas are decimal commas. Returns FALSE with error if that is
 * ambiguous. */
static gboolean
find_decimal (char **lines, gboolean *decimal, GError **error)
{
  Marks marks = { 0 };

  for (; *lines; lines++)
    look_at_line (*lines, &marks);
  *decimal = FALSE;
  if (! marks.between_digits)
    return TRUE;
  if (marks.points && marks.others)
    return fx_refuse (error, _ ("Write all numbers with decimal points or all with commas"));
  if (marks.before_blanks)
    return fx_refuse (error,
                      _ ("Some commas stand between digits and some before blanks: separate the "
                         "numbers by semicolons"));
  *decimal = marks.others || is_decimal_column (&marks);
  return TRUE;
}

/* Numbers. */

static gsize
count_digits (const char *text)
{
  return strspn (text, "0123456789");
}

/* Accepts numbers as people write them, but not all that strtod accepts: no hexadecimal numbers, no
 * NaN, no infinity. */
static gboolean
is_number (const char *text, char point)
{
  gsize whole, fraction = 0;

  text += is_in (*text, "+-");
  whole = count_digits (text);
  text += whole;
  if (*text == point)
    {
      fraction = count_digits (text + 1);
      text += 1 + fraction;
    }
  if (whole + fraction == 0)
    return FALSE;
  if (*text == 'e' || *text == 'E')
    {
      text += 1 + is_in (text[1], "+-");
      if (count_digits (text) == 0)
        return FALSE;
      text += count_digits (text);
    }
  return ! *text;
}

/* Parses cell, which is modified. */
static gboolean
matrix_text_parse_number (char *cell, gboolean decimal, double *number)
{
  if (! is_number (cell, decimal ? ',' : '.'))
    return FALSE;
  g_strdelimit (cell, ",", '.');
  *number = g_ascii_strtod (cell, NULL);
  return isfinite (*number);
}

static gboolean
refuse_cell (const char *cell, int row, int column, GError **error)
{
  g_autofree char *valid = g_utf8_make_valid (cell, -1);
  g_autofree char *shown = g_utf8_substring (valid, 0, MIN (g_utf8_strlen (valid, -1), SHOWN));

  if (! *cell)
    return fx_refuse (error, _ ("The cell in row %d, column %d is empty, but must be a number"),
                      row, column);
  return fx_refuse (error, _ ("The cell in row %d, column %d is '%s', but must be a finite number"),
                    row, column, shown);
}

/* Rows. */

typedef struct {
  gboolean block; /* a block of numbers: rows and columns need not be odd */
  int largest;
  gboolean decimal;
  GArray *numbers;
  int rows, columns; /* the rows so far, and the columns of the first row */
} Reader;

/* Returns p moved past a separator between two cells. */
static const char *
skip_separator (const char *p, gboolean decimal)
{
  p += strspn (p, BLANKS);
  if (*p == ';' || (*p == ',' && ! decimal))
    p += 1 + strspn (p + 1, BLANKS);
  return p;
}

/* Reads the cell at p, and moves p to the next cell, or sets it to NULL after the last one. */
static gboolean
read_cell (Reader *reader, const char **p, int column, GError **error)
{
  gsize length = strcspn (*p, reader->decimal ? BLANKS ";" : SEPARATORS);
  char room[CELL];
  g_autofree char *longer = length < CELL ? NULL : g_strndup (*p, length);
  const char *end = *p + length;
  double number;

  if (! longer)
    g_strlcpy (room, *p, length + 1);
  if (! matrix_text_parse_number (longer ? longer : room, reader->decimal, &number))
    {
      g_autofree char *given = g_strndup (*p, length);

      return refuse_cell (given, reader->rows + 1, column, error);
    }
  g_array_append_val (reader->numbers, number);
  *p = *end ? skip_separator (end, reader->decimal) : NULL;
  return TRUE;
}

/* Reads a line, which has no blanks at its ends. */
static gboolean
read_row (Reader *reader, const char *line, GError **error)
{
  const char *p = line;
  int columns = 0;

  while (p)
    if (! read_cell (reader, &p, ++columns, error))
      return FALSE;
  if (reader->rows++ == 0)
    reader->columns = columns;
  if (columns == reader->columns)
    return TRUE;
  return fx_refuse (error, _ ("Row %d has %d values, but must have %d, as row 1 has"), reader->rows,
                    columns, reader->columns);
}

static gboolean
read_rows (Reader *reader, char **lines, GError **error)
{
  for (; *lines; lines++)
    if (! read_row (reader, *lines, error))
      return FALSE;
  return TRUE;
}

/* Returns the lines that are not empty, without blanks at their ends, followed by NULL. They point
 * into text, which is modified. */
static GPtrArray *
cut_lines (char *text)
{
  GPtrArray *lines = g_ptr_array_new ();
  char *next;

  for (; text; text = next)
    {
      next = strchr (text, '\n');
      if (next)
        *next++ = 0;
      if (*g_strstrip (text))
        g_ptr_array_add (lines, text);
    }
  g_ptr_array_add (lines, NULL);
  return lines;
}

/* Size. */

/* Reads a size such as "3x5:" and moves text past it. Returns FALSE if there is none. */
static gboolean
take_size (char **text, int *rows, int *columns)
{
  const char *start = *text + strspn (*text, BLANKS "\n");
  gsize first = count_digits (start), second;

  if (first == 0 || first > 4 || start[first] != 'x')
    return FALSE;
  second = count_digits (start + first + 1);
  if (second == 0 || second > 4 || start[first + 1 + second] != ':')
    return FALSE;
  *rows = (int) strtol (start, NULL, 10);
  *columns = (int) strtol (start + first + 1, NULL, 10);
  *text += start - *text + (gssize) (first + 1 + second + 1);
  return TRUE;
}

static gboolean
matrix_text_check_size (const Reader *reader, const char *name, int size, GError **error)
{
  if (reader->block)
    return size <= reader->largest ||
           fx_refuse (error, _ ("%s is %d, but must be at most %d"), name, size, reader->largest);
  return (size >= 1 && size <= reader->largest && size % 2 == 1) ||
         fx_refuse (error, _ ("%s is %d, but must be an odd number from 1 to %d"), name, size,
                    reader->largest);
}

/* Checks that the lines have the size that the text states. A single line only needs the right
 * number of values. */
static gboolean
matrix_text_check_count (const Reader *reader, int rows, int columns, GError **error)
{
  int n = (int) reader->numbers->len;

  if (reader->rows > 1 && (reader->rows != rows || reader->columns != columns))
    return fx_refuse (error, _ ("The text says %dx%d, but has %d rows of %d values"), rows, columns,
                      reader->rows, reader->columns);
  return n == rows * columns ||
         fx_refuse (error, _ ("There are %d values, but %d are needed for %d rows of %d columns"),
                    n, rows * columns, rows, columns);
}

static FilterMatrix *
matrix_text_finish (const Reader *reader, int rows, int columns, GError **error)
{
  if (! matrix_text_check_size (reader, "rows", rows, error) ||
      ! matrix_text_check_size (reader, "columns", columns, error) ||
      ! matrix_text_check_count (reader, rows, columns, error))
    return NULL;
  return filter_matrix_new (rows, columns, (int) reader->numbers->len,
                            (const double *) (gpointer) reader->numbers->data);
}

/* Sets the size of a text that does not state it. A single line is a square matrix if it has as
 * many values as one. */
static void
find_size (const Reader *reader, int *rows, int *columns)
{
  int side = (int) lrint (sqrt (reader->columns));

  *rows = reader->rows;
  *columns = reader->columns;
  if (! reader->block && reader->rows == 1 && side * side == reader->columns && side % 2 == 1)
    *rows = *columns = side;
}

/* Parses text, which is modified. */
static FilterMatrix *
parse (char *text, gboolean block, int largest, GError **error)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (double));
  Reader reader = { .block = block, .largest = largest, .numbers = numbers };
  int rows = 0, columns = 0;
  gboolean sized = take_size (&text, &rows, &columns);
  g_autoptr (GPtrArray) cut = cut_lines (text);
  char **lines = (char **) cut->pdata;

  if (! find_decimal (lines, &reader.decimal, error) || ! read_rows (&reader, lines, error))
    return NULL;
  if (reader.rows == 0)
    {
      fx_refuse (error, _ ("There is no number in the text"));
      return NULL;
    }
  if (! sized)
    find_size (&reader, &rows, &columns);
  return matrix_text_finish (&reader, rows, columns, error);
}

static FilterMatrix *
parse_text (const char *text, gssize length, gboolean block, int largest, GError **error)
{
  gsize size = length < 0 ? strnlen (text, MATRIX_TEXT_MAX + 1) : (gsize) length;
  g_autofree char *copy = NULL;

  if (size > MATRIX_TEXT_MAX)
    {
      fx_refuse (error, _ ("The text has more than %d bytes"), MATRIX_TEXT_MAX);
      return NULL;
    }
  if (memchr (text, 0, size))
    {
      fx_refuse (error, _ ("The text contains zero bytes"));
      return NULL;
    }
  copy = g_strndup (text, size);
  g_strdelimit (copy, "\r\f\v", '\n');
  /* Skips the byte order mark of UTF-8, which some programs write. */
  return parse (g_str_has_prefix (copy, "\357\273\277") ? copy + 3 : copy, block, largest, error);
}

FilterMatrix *
matrix_text_parse (const char *text, gssize length, int largest, GError **error)
{
  return parse_text (text, length, FALSE, largest, error);
}

FilterMatrix *
matrix_text_parse_block (const char *text, gssize length, int largest, GError **error)
{
  return parse_text (text, length, TRUE, largest, error);
}

/* Writing. */

/* Prints number with as few digits as restore it exactly. Free the result with g_free. */
static char *
print_number (double number)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE], format[8];
  int digits = MAX_DIGITS - 2;

  if (number >= -G_MAXINT && number <= G_MAXINT && number == (int) number && number != 0.0)
    return g_strdup_printf ("%d", (int) number); /* the same, sooner */
  do
    {
      g_snprintf (format, sizeof format, "%%.%dg", digits);
      g_ascii_formatd (buffer, sizeof buffer, format, number);
    }
  while (g_ascii_strtod (buffer, NULL) != number && digits++ < MAX_DIGITS);
  return g_strdup (buffer);
}

/* Returns the numbers as text, NULL-terminated. */
static GStrv
print_numbers (const FilterMatrix *matrix)
{
  GStrv numbers = g_new0 (char *, matrix->n_values + 1);
  int i;

  for (i = 0; i < matrix->n_values; i++)
    numbers[i] = print_number (matrix->values[i]);
  return numbers;
}

char *
matrix_text_print_line (const FilterMatrix *matrix)
{
  g_auto (GStrv) numbers = print_numbers (matrix);
  g_autofree char *line = g_strjoinv (" ", numbers);

  return g_strdup_printf ("%dx%d: %s", matrix->rows, matrix->columns, line);
}

/* Returns the length of the longest number in a column. */
static int
matrix_text_get_width (const FilterMatrix *matrix, GStrv numbers, int column)
{
  gsize width = 0;
  int i;

  for (i = column; i < matrix->n_values; i += matrix->columns)
    width = MAX (width, strlen (numbers[i]));
  return (int) width;
}

static char *
print_lines (const FilterMatrix *matrix)
{
  g_auto (GStrv) numbers = print_numbers (matrix);
  g_autofree int *widths = g_new (int, matrix->columns);
  GString *text = g_string_new (NULL);
  int i, column;

  for (column = 0; column < matrix->columns; column++)
    widths[column] = matrix_text_get_width (matrix, numbers, column);
  for (i = 0; i < matrix->n_values; i++)
    {
      column = i % matrix->columns;
      g_string_append_printf (text, "%s%*s",
                              i == 0        ? ""
                              : column == 0 ? "\n"
                                            : " ",
                              widths[column], numbers[i]);
    }
  return g_string_free (text, FALSE);
}

/* Returns whether the matrix is one row that would be read as a square matrix if its size were not
 * stated. */
static gboolean
needs_size (const FilterMatrix *matrix)
{
  int side = (int) lrint (sqrt (matrix->columns));

  return matrix->rows == 1 && side > 1 && side % 2 == 1 && side * side == matrix->columns;
}

char *
matrix_text_print (const FilterMatrix *matrix)
{
  return needs_size (matrix) ? matrix_text_print_line (matrix) : print_lines (matrix);
}

char *
matrix_text_print_csv (const FilterMatrix *matrix)
{
  g_auto (GStrv) numbers = print_numbers (matrix);
  GString *text = g_string_new (NULL);
  int i;

  if (needs_size (matrix))
    g_string_printf (text, "%dx%d:", matrix->rows, matrix->columns);
  for (i = 0; i < matrix->n_values; i++)
    g_string_append_printf (text, "%s%c", numbers[i], (i + 1) % matrix->columns == 0 ? '\n' : ',');
  return g_string_free (text, FALSE);
}
