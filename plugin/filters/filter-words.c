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
