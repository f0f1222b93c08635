#include "matrix-text.h"

#include "error.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define BLANKS     " \t"
#define SEPARATORS BLANKS ",;"
#define SHOWN      24 /* characters of a cell that a message shows */
#define BYTES      4  /* of a character, at most */
#define MAX_DIGITS 17 /* enough to distinguish any two numbers */
#define NUMBER_MAX 24 /* characters of a number with so many digits */

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
  int commas = 0;

  for (const char *p = line; *p; p++)
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
find_decimal (const char *lines, gboolean *decimal, GError **error)
{
  Marks marks = { 0 };

  for (; *lines; lines += strlen (lines) + 1)
    look_at_line (lines, &marks);
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
 * NaN, no infinity. With decimal commas there are no points in the text. Writes to cell, but leaves
 * it as it is. */
static gboolean
matrix_text_parse_number (char *cell, gboolean decimal, double *number)
{
  char *end;

  if (cell[strspn (cell, "0123456789+-.,eE")])
    return FALSE;
  if (decimal)
    g_strdelimit (cell, ",", '.');
  *number = g_ascii_strtod (cell, &end);
  if (decimal)
    g_strdelimit (cell, ".", ',');
  return end > cell && ! *end && isfinite (*number);
}

static gboolean
refuse_cell (const char *cell, int row, int column, GError **error)
{
  g_autofree char *valid = g_utf8_make_valid (cell, (gssize) strnlen (cell, SHOWN * BYTES));
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
  double *numbers;
  gsize room;        /* for numbers: no more are needed, or in the text */
  int n;             /* the numbers so far */
  int rows, columns; /* the rows so far, and the columns of the first row */
} Reader;

/* Returns p moved past a separator between two cells. */
static char *
skip_separator (char *p, gboolean decimal)
{
  p += strspn (p, BLANKS);
  if (*p == ';' || (*p == ',' && ! decimal))
    p += 1 + strspn (p + 1, BLANKS);
  return p;
}

/* Reads the cell at p, and moves p to the next cell, or sets it to NULL after the last one. */
static gboolean
read_cell (Reader *reader, char **p, int column, GError **error)
{
  char *cell = *p, *end = cell + strcspn (cell, reader->decimal ? BLANKS ";" : SEPARATORS);
  char separator = *end;
  double number;

  *end = 0;
  if (! matrix_text_parse_number (cell, reader->decimal, &number))
    return refuse_cell (cell, reader->rows + 1, column, error);
  *end = separator;
  if ((gsize) reader->n < reader->room)
    reader->numbers[reader->n] = number;
  reader->n++;
  *p = separator ? skip_separator (end, reader->decimal) : NULL;
  return TRUE;
}

/* Reads a line, which has no blanks at its ends. */
static gboolean
read_row (Reader *reader, char *line, GError **error)
{
  int columns = 0;

  while (line)
    if (! read_cell (reader, &line, ++columns, error))
      return FALSE;
  if (reader->rows++ == 0)
    reader->columns = columns;
  if (columns == reader->columns)
    return TRUE;
  return fx_refuse (error,
                    g_dngettext (GETTEXT_PACKAGE,
                                 "Row %d has %d value, but must have %d, as row 1 has",
                                 "Row %d has %d values, but must have %d, as row 1 has",
                                 (gulong) columns),
                    reader->rows, columns, reader->columns);
}

static gboolean
read_rows (Reader *reader, char *lines, GError **error)
{
  for (char *line = lines, *next; *line; line = next)
    {
      next = line + strlen (line) + 1;
      if (! read_row (reader, line, error))
        return FALSE;
    }
  return TRUE;
}

/* Replaces text by its lines that are not empty, without blanks at their ends. Each ends with 0,
 * and another 0 follows the last one, for which text has a byte more than it needs. */
static void
cut_lines (char *text)
{
  char *line, *next, *end = text;
  gsize size;

  for (line = text; line; line = next)
    {
      next = strchr (line, '\n');
      if (next)
        *next++ = 0;
      size = strlen (g_strstrip (line)) + 1;
      if (size == 1)
        continue;
      memmove (end, line, size);
      end += size;
    }
  *end = 0;
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
check_size (const Reader *reader, const char *name, int size, GError **error)
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
  if (reader->rows > 1 && (reader->rows != rows || reader->columns != columns))
    return fx_refuse (error, _ ("The text says %dx%d, but its values are %dx%d"), rows, columns,
                      reader->rows, reader->columns);
  return reader->n == rows * columns ||
         filter_matrix_refuse_count (reader->n, rows, columns, error);
}

static FilterMatrix *
matrix_text_finish (const Reader *reader, int rows, int columns, GError **error)
{
  FilterMatrix *matrix;

  if (! check_size (reader, "rows", rows, error) ||
      ! check_size (reader, "columns", columns, error) ||
      ! matrix_text_check_count (reader, rows, columns, error))
    return NULL;
  matrix = filter_matrix_new (rows, columns, reader->n, reader->numbers);
  if (! matrix)
    fx_set_no_memory (error);
  return matrix;
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
parse (Reader *reader, char *text, GError **error)
{
  int rows = 0, columns = 0;
  gboolean sized = take_size (&text, &rows, &columns);

  cut_lines (text);
  if (! find_decimal (text, &reader->decimal, error) || ! read_rows (reader, text, error))
    return NULL;
  if (reader->rows == 0)
    {
      fx_refuse (error, _ ("There is no number in the text"));
      return NULL;
    }
  if (! sized)
    find_size (reader, &rows, &columns);
  return matrix_text_finish (reader, rows, columns, error);
}

static FilterMatrix *
parse_text (const char *text, gssize length, gboolean block, int largest, GError **error)
{
  gsize size = length < 0 ? strnlen (text, MATRIX_TEXT_MAX + 1) : (gsize) length;
  gsize room = MIN ((gsize) largest * (gsize) largest, size / 2 + 1);
  Reader reader = { .block = block, .largest = largest, .room = room };
  g_autofree char *copy = NULL;
  g_autofree double *numbers = NULL;

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
  copy = g_try_malloc0 (size + 2);
  reader.numbers = numbers = g_try_new (double, room);
  if (! copy || ! numbers)
    {
      fx_set_no_memory (error);
      return NULL;
    }
  memcpy (copy, text, size);
  g_strdelimit (copy, "\r\f\v", '\n');
  /* Skips the byte order mark of UTF-8, which some programs write. */
  return parse (&reader, g_str_has_prefix (copy, "\357\273\277") ? copy + 3 : copy, error);
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

/* Prints number to p with as few digits as restore it exactly, and returns the end. */
static char *
print_number (char *p, double number)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE], format[8];
  int digits = MAX_DIGITS - 2;

  if (number >= -G_MAXINT && number <= G_MAXINT && number == (int) number && number != 0.0)
    return p + g_snprintf (p, NUMBER_MAX + 1, "%d", (int) number); /* the same, sooner */
  do
    {
      g_snprintf (format, sizeof format, "%%.%dg", digits);
      g_ascii_formatd (buffer, sizeof buffer, format, number);
    }
  while (g_ascii_strtod (buffer, NULL) != number && digits++ < MAX_DIGITS);
  return g_stpcpy (p, buffer);
}

/* Returns head and the numbers, with between after each but the last one of a row, and end after
 * that. Returns NULL if memory runs out. */
static char *
print_numbers (const FilterMatrix *matrix, const char *head, char between, char end)
{
  char *text = g_try_malloc (strlen (head) + (gsize) matrix->n_values * (NUMBER_MAX + 1) + 1);
  char *p = text ? g_stpcpy (text, head) : NULL;

  for (int i = 0; text && i < matrix->n_values; i++)
    {
      p = print_number (p, matrix->values[i]);
      *p++ = (i + 1) % matrix->columns == 0 ? end : between;
      *p = 0;
    }
  return text;
}

char *
matrix_text_print_line (const FilterMatrix *matrix)
{
  g_autofree char *head = g_strdup_printf ("%dx%d: ", matrix->rows, matrix->columns);
  char *text = print_numbers (matrix, head, ' ', ' ');

  return text ? g_strchomp (text) : NULL;
}

/* Sets widths to the lengths of the longest number in each column, and returns the size of the
 * lines of these widths. */
static gsize
measure_columns (const FilterMatrix *matrix, const char *numbers, int *widths)
{
  gsize row = 0;
  int length;

  for (int i = 0; i < matrix->n_values; i++)
    {
      length = (int) strcspn (numbers, " ");
      widths[i % matrix->columns] = MAX (widths[i % matrix->columns], length);
      numbers += length + 1;
    }
  for (int i = 0; i < matrix->columns; i++)
    row += (gsize) widths[i] + 1;
  return matrix->rows * row;
}

static char *
print_lines (const FilterMatrix *matrix)
{
  g_autofree char *numbers = print_numbers (matrix, "", ' ', ' ');
  g_autofree int *widths = g_new0 (int, matrix->columns);
  char *text = numbers ? g_try_malloc (measure_columns (matrix, numbers, widths)) : NULL;
  const char *number = numbers;
  char *p = text;
  int column, length;

  for (int i = 0; text && i < matrix->n_values; i++)
    {
      column = i % matrix->columns;
      length = (int) strcspn (number, " ");
      memset (p, ' ', (gsize) (widths[column] - length));
      p += widths[column];
      memcpy (p - length, number, (gsize) length);
      *p++ = i + 1 == matrix->n_values ? 0 : column + 1 == matrix->columns ? '\n' : ' ';
      number += length + 1;
    }
  return text;
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
  g_autofree char *head = g_strdup_printf ("%dx%d:", matrix->rows, matrix->columns);

  return print_numbers (matrix, needs_size (matrix) ? head : "", ',', '\n');
}
