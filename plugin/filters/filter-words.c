#include "filter-words.h"

#include "error.h"

#include <string.h>

static gboolean
parse_word (FilterSettings *settings, const char *word, GError **error)
{
  gsize length = strcspn (word, "=");
  g_autofree char *name = g_strndup (word, length);
  int i = filter_find_property (filter_settings_get_filter (settings), name);

  if (i < 0 || ! word[length])
    return fx_refuse (error, "'%s' names no property, or no value", word);
  return filter_settings_parse (settings, (guint) i, word + length + 1, error);
}

static gboolean
parse_words (FilterSettings *settings, char *const *words, int n, GError **error)
{
  for (int i = 0; i < n; i++)
    if (! parse_word (settings, words[i], error))
      return FALSE;
  return filter_settings_check (settings, error);
}

FilterSettings *
filter_settings_from_words (const FilterDescription *filter, char *const *words, int n,
                            GError **error)
{
  g_autoptr (FilterSettings) settings = filter_settings_new (filter);

  return parse_words (settings, words, n, error) ? g_steal_pointer (&settings) : NULL;
}

gboolean
filter_settings_set_words (FilterSettings *settings, const char *text, GError **error)
{
  g_auto (GStrv) words = g_strsplit (text, " ", 0);
  g_autoptr (FilterSettings) changed = filter_settings_copy (settings);

  if (! parse_words (changed, words, (int) g_strv_length (words), error))
    return FALSE;
  filter_settings_assign (settings, changed);
  return TRUE;
}

/* Bytes: a line for each word, and then, after a 0, a matrix's head and its values. */

typedef struct {
  gint32 rows, columns;
} MatrixHead;

static char *
print_lines (const FilterSettings *settings)
{
  const FilterDescription *filter = filter_settings_get_filter (settings);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < filter->n_properties; i++)
    if (filter->properties[i].type != FILTER_MATRIX)
      {
        g_autofree char *value = filter_settings_print (settings, i);

        g_string_append_printf (text, "%s=%s\n", filter->properties[i].name, value);
      }
  return g_string_free (text, FALSE);
}

/* Returns bytes with the matrix, or NULL if memory runs out; frees bytes. */
static char *
append_matrix (char *bytes, gsize *length, const FilterMatrix *matrix)
{
  const MatrixHead head = { matrix->rows, matrix->columns };
  gsize text = *length + 1, size = (gsize) matrix->n_values * sizeof *matrix->values;
  char *longer = g_try_realloc (bytes, text + sizeof head + size);

  if (! longer)
    {
      g_free (bytes);
      return NULL;
    }
  memcpy (longer + text, &head, sizeof head);
  memcpy (longer + text + sizeof head, matrix->values, size);
  *length = text + sizeof head + size;
  return longer;
}

char *
filter_settings_to_bytes (const FilterSettings *settings, gsize *length)
{
  int matrix = filter_find_matrix (filter_settings_get_filter (settings));
  char *bytes = print_lines (settings);

  *length = strlen (bytes);
  return matrix < 0
           ? bytes
           : append_matrix (bytes, length, filter_settings_get_matrix (settings, (guint) matrix));
}

/* text is modified. */
static gboolean
parse_lines (FilterSettings *settings, char *text, GError **error)
{
  char *end;

  for (; *text; text = end + 1)
    {
      end = strchr (text, '\n');
      if (! end)
        return fx_refuse (error, "The text is cut off");
      *end = 0;
      if (! parse_word (settings, text, error))
        return FALSE;
    }
  return TRUE;
}

/* bytes need not be aligned. */
static gboolean
parse_matrix (FilterSettings *settings, const char *bytes, gsize length, GError **error)
{
  int property = filter_find_matrix (filter_settings_get_filter (settings));
  MatrixHead head = { 0 };
  double *values;
  g_autoptr (FilterMatrix) matrix = NULL;

  if (length >= sizeof head)
    memcpy (&head, bytes, sizeof head);
  if (property < 0 || head.rows <= 0 || head.columns <= 0 ||
      (length - sizeof head) % sizeof *values != 0 ||
      (length - sizeof head) / sizeof *values != (guint64) head.rows * (guint64) head.columns)
    return fx_refuse (error, "The matrix is cut off, or there is none");
  matrix = filter_matrix_new_zero (head.rows, head.columns, &values);
  if (! matrix)
    return fx_set_no_memory (error);
  memcpy (values, bytes + sizeof head, length - sizeof head);
  filter_settings_set_matrix (settings, (guint) property, matrix);
  return TRUE;
}

FilterSettings *
filter_settings_from_bytes (const FilterDescription *filter, const char *bytes, gsize length,
                            GError **error)
{
  g_autoptr (FilterSettings) settings = filter_settings_new (filter);
  const char *end = memchr (bytes, 0, length);
  gsize text_length = end ? (gsize) (end - bytes) : length;
  g_autofree char *text = g_try_malloc0 (text_length + 1);

  if (! text)
    {
      fx_set_no_memory (error);
      return NULL;
    }
  memcpy (text, bytes, text_length);
  if (! parse_lines (settings, text, error) ||
      (end && ! parse_matrix (settings, end + 1, length - text_length - 1, error)) ||
      ! filter_settings_check (settings, error))
    return NULL;
  return g_steal_pointer (&settings);
}
