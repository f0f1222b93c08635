#include "filter-words.h"

#include "error.h"
#include "matrix-text.h"

#include <math.h>
#include <string.h>

static gboolean
filter_words_parse_matrix (FilterSettings *settings, guint i, const char *text, GError **error)
{
  const FilterProperty *property = &filter_settings_get_filter (settings)->properties[i];
  g_autoptr (FilterMatrix) matrix = matrix_text_parse (text, -1, (int) property->maximum, error);

  if (! matrix)
    return FALSE;
  filter_settings_set_matrix (settings, i, matrix);
  return TRUE;
}

static gboolean
filter_words_parse_number (const FilterProperty *property, const char *text, double *number,
                           GError **error)
{
  char *end;

  *number = g_ascii_strtod (text, &end);
  if (end == text || *end)
    return fx_refuse (error, "%s is '%s', but must be a number", property->name, text);
  if (property->type != FILTER_NUMBER &&
      ! (*number == floor (*number) && fabs (*number) <= G_MAXINT))
    return fx_refuse (error, "%s is '%s', but must be a whole number", property->name, text);
  return TRUE;
}

static gboolean
filter_words_parse_choice (const FilterProperty *property, const char *text, double *choice,
                           GError **error)
{
  *choice = filter_property_find_choice (property, text);
  return *choice >= 0 || fx_refuse (error, "%s has no value '%s'", property->name, text);
}

static gboolean
filter_words_parse_value (FilterSettings *settings, guint i, const char *text, GError **error)
{
  const FilterProperty *property = &filter_settings_get_filter (settings)->properties[i];
  double value;

  if (property->type == FILTER_MATRIX)
    return filter_words_parse_matrix (settings, i, text, error);
  if (! (filter_property_get_choices (property)
           ? filter_words_parse_choice (property, text, &value, error)
           : filter_words_parse_number (property, text, &value, error)))
    return FALSE;
  filter_settings_set (settings, i, value);
  return TRUE;
}

static gboolean
parse_word (FilterSettings *settings, const char *word, GError **error)
{
  gsize length = strcspn (word, "=");
  g_autofree char *name = g_strndup (word, length);
  int i = filter_find_property (filter_settings_get_filter (settings), name);

  if (i < 0 || ! word[length])
    return fx_refuse (error, "'%s' names no property, or no value", word);
  return filter_words_parse_value (settings, (guint) i, word + length + 1, error);
}

static gboolean
parse_words (FilterSettings *settings, char *const *words, int n, GError **error)
{
  int i;

  for (i = 0; i < n; i++)
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
filter_settings_set_preset (FilterSettings *settings, const FilterPreset *preset, GError **error)
{
  g_auto (GStrv) words = g_strsplit (preset->words, " ", 0);
  g_autoptr (FilterSettings) changed = filter_settings_copy (settings);

  if (! parse_words (changed, words, (int) g_strv_length (words), error))
    return FALSE;
  filter_settings_assign (settings, changed);
  return TRUE;
}
