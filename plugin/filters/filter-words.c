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
filter_settings_set_preset (FilterSettings *settings, const FilterPreset *preset, GError **error)
{
  g_auto (GStrv) words = g_strsplit (preset->words, " ", 0);
  g_autoptr (FilterSettings) changed = filter_settings_copy (settings);

  if (! parse_words (changed, words, (int) g_strv_length (words), error))
    return FALSE;
  filter_settings_assign (settings, changed);
  return TRUE;
}

/* Text: a line for each word. */

/* Returns text with a line more, or NULL if memory runs out, or if value is NULL; frees text. */
static char *
append_line (char *text, const char *name, const char *value)
{
  gsize length = strlen (text), more = value ? strlen (name) + strlen (value) + 3 : 0;
  char *longer = value ? g_try_realloc (text, length + more) : NULL;

  if (longer)
    g_snprintf (longer + length, more, "%s=%s\n", name, value);
  else
    g_free (text);
  return longer;
}

char *
filter_settings_to_text (const FilterSettings *settings)
{
  const FilterDescription *filter = filter_settings_get_filter (settings);
  char *text = g_strdup ("");

  for (guint i = 0; text && i < filter->n_properties; i++)
    {
      g_autofree char *value = filter_settings_print (settings, i);

      text = append_line (text, filter->properties[i].name, value);
    }
  return text;
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
  return filter_settings_check (settings, error);
}

FilterSettings *
filter_settings_from_text (const FilterDescription *filter, const char *text, gsize length,
                           GError **error)
{
  g_autoptr (FilterSettings) settings = filter_settings_new (filter);
  g_autofree char *given = g_try_malloc0 (length + 1);

  if (! given)
    {
      fx_set_no_memory (error);
      return NULL;
    }
  memcpy (given, text, length);
  return parse_lines (settings, given, error) ? g_steal_pointer (&settings) : NULL;
}
