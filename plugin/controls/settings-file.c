#include "settings-file.h"

#include "error.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <libgimpbase/gimpbase.h>
#include <libgimpconfig/gimpconfig.h>
#include <stdlib.h>
#include <string.h>

/* libgimp 2.10 has other names for what takes a GFile, and for the end of a scanner. */
#if GIMP_MAJOR_VERSION < 3
#define gimp_scanner_new_file            gimp_scanner_new_gfile
#define gimp_scanner_unref               gimp_scanner_destroy
#define gimp_config_writer_new_from_file gimp_config_writer_new_gfile
#endif

#define LIST_HEADER "settings" /* in comments, as in GIMP's files */
#define LIST_FOOTER "end of settings"

Preset *
preset_new (const char *name, const FilterSettings *settings)
{
  Preset *preset = g_new (Preset, 1);

  preset->name = g_strdup (name);
  preset->settings = filter_settings_copy (settings);
  return preset;
}

void
preset_free (Preset *preset)
{
  filter_settings_free (preset->settings);
  g_free (preset->name);
  g_free (preset);
}

/* Reading. A parser that returns FALSE has set the scanner's error, exactly once. */

/* Has the scanner take a number as an identifier, and so as text: GIMP's own parser of numbers
 * reads -3 as 2^64 - 3. Returns NULL with error on failure. */
static GScanner *
open_file (const char *path, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  GScanner *scanner = gimp_scanner_new_file (file, error);

  if (! scanner)
    return NULL;
  scanner->config->cset_identifier_first = G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "+-.";
  scanner->config->cset_identifier_nth = G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "+-._";
  return scanner;
}

/* Reports that the next token is not the expected one. */
static gboolean
refuse_token (GScanner *scanner, GTokenType expected)
{
  g_scanner_get_next_token (scanner);
  g_scanner_unexp_token (scanner, expected, NULL, NULL, NULL, NULL, TRUE);
  return FALSE;
}

static gboolean
parse_token (GScanner *scanner, GTokenType token)
{
  return gimp_scanner_parse_token (scanner, token) || refuse_token (scanner, token);
}

static gboolean
settings_file_parse_value (GScanner *scanner, FilterSettings *settings, guint i)
{
  gboolean is_matrix = filter_settings_get_filter (settings)->properties[i].type == FILTER_MATRIX;
  g_autoptr (GError) error = NULL;

  if (! parse_token (scanner, is_matrix ? G_TOKEN_STRING : G_TOKEN_IDENTIFIER))
    return FALSE;
  if (filter_settings_parse (settings, i, scanner->value.v_string, &error))
    return TRUE;
  g_scanner_error (scanner, "%s", error->message);
  return FALSE;
}

/* Skips the rest of a property that this version does not know. */
static gboolean
skip_property (GScanner *scanner)
{
  int depth = 1;

  while (depth > 0)
    {
      GTokenType token = g_scanner_peek_next_token (scanner);

      if (token == G_TOKEN_EOF || token == G_TOKEN_ERROR)
        return refuse_token (scanner, G_TOKEN_RIGHT_PAREN);
      g_scanner_get_next_token (scanner);
      depth += token == G_TOKEN_LEFT_PAREN;
      depth -= token == G_TOKEN_RIGHT_PAREN;
    }
  return TRUE;
}

/* The properties set before have been checked already, so an error is about the last one. */
static gboolean
check_range (GScanner *scanner, const FilterSettings *settings)
{
  g_autoptr (GError) error = NULL;

  if (filter_settings_check (settings, &error))
    return TRUE;
  g_scanner_error (scanner, "%s", error->message);
  return FALSE;
}

/* Call this after the opening parenthesis. seen has a bit for each of the filter's properties. */
static gboolean
settings_file_parse_property (GScanner *scanner, FilterSettings *settings, guint *seen)
{
  int i;

  if (! parse_token (scanner, G_TOKEN_IDENTIFIER))
    return FALSE;
  i = filter_find_property (filter_settings_get_filter (settings), scanner->value.v_identifier);
  if (i < 0)
    return skip_property (scanner);
  if (! settings_file_parse_value (scanner, settings, (guint) i))
    return FALSE;
  *seen |= 1u << i;
  return check_range (scanner, settings) && parse_token (scanner, G_TOKEN_RIGHT_PAREN);
}

/* Parses all properties, and then the token end. Returns NULL if there is anything else. */
static FilterSettings *
settings_file_parse_settings (GScanner *scanner, const FilterDescription *filter, GTokenType end)
{
  g_autoptr (FilterSettings) settings = filter_settings_new (filter);
  guint seen = 0;

  while (gimp_scanner_parse_token (scanner, G_TOKEN_LEFT_PAREN))
    if (! settings_file_parse_property (scanner, settings, &seen))
      return NULL;
  if (! parse_token (scanner, end))
    return NULL;
  for (guint i = 0; i < filter->n_properties; i++)
    if (! (seen & 1u << i))
      {
        g_scanner_error (scanner, _ ("%s is missing"), filter->properties[i].name);
        return NULL;
      }
  return g_steal_pointer (&settings);
}

static gboolean
parse_name (GScanner *scanner, char **name)
{
  if (! gimp_scanner_parse_string_no_validate (scanner, name))
    return refuse_token (scanner, G_TOKEN_STRING);
  if (*name && g_utf8_validate (*name, -1, NULL))
    return TRUE;
  g_scanner_error (scanner, _ ("the name is empty or not in UTF-8"));
  return FALSE;
}

/* Call this after the opening parenthesis. */
static gboolean
parse_preset (GScanner *scanner, const FilterDescription *filter, GPtrArray *presets)
{
  g_autofree char *name = NULL;
  g_autoptr (FilterSettings) settings = NULL;

  if (! parse_token (scanner, G_TOKEN_IDENTIFIER))
    return FALSE;
  if (strcmp (scanner->value.v_identifier, filter->name) != 0)
    {
      g_scanner_error (scanner, _ ("found '%s', expected '%s'"), scanner->value.v_identifier,
                       filter->name);
      return FALSE;
    }
  if (! parse_name (scanner, &name))
    return FALSE;
  settings = settings_file_parse_settings (scanner, filter, G_TOKEN_RIGHT_PAREN);
  if (settings)
    g_ptr_array_add (presets, preset_new (name, settings));
  return settings != NULL;
}

/* For the scanner the last line is a comment like any other, but it is missing in a file that was
 * cut off between two presets. */
static gboolean
check_footer (GScanner *scanner, const char *path)
{
  g_autofree char *text = NULL;

  if (g_file_get_contents (path, &text, NULL, NULL) &&
      g_str_has_suffix (g_strchomp (text), "# " LIST_FOOTER))
    return TRUE;
  g_scanner_error (scanner, _ ("the file is incomplete: it must end with '# %s'"), LIST_FOOTER);
  return FALSE;
}

static gboolean
parse_presets (GScanner *scanner, const FilterDescription *filter, const char *path,
               GPtrArray *presets)
{
  while (gimp_scanner_parse_token (scanner, G_TOKEN_LEFT_PAREN))
    if (! parse_preset (scanner, filter, presets))
      return FALSE;
  return parse_token (scanner, G_TOKEN_EOF) && check_footer (scanner, path);
}

GPtrArray *
settings_file_read_presets (const FilterDescription *filter, const char *path, GError **error)
{
  g_autoptr (GPtrArray) presets = g_ptr_array_new_with_free_func ((GDestroyNotify) preset_free);
  g_autoptr (GError) problem = NULL;
  GScanner *scanner = open_file (path, &problem);

  if (scanner)
    {
      parse_presets (scanner, filter, path, presets);
      gimp_scanner_unref (scanner);
    }
  if (problem && ! g_error_matches (problem, GIMP_CONFIG_ERROR, GIMP_CONFIG_ERROR_OPEN_ENOENT))
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return NULL;
    }
  return g_steal_pointer (&presets);
}

FilterSettings *
settings_file_import (const FilterDescription *filter, const char *path, GError **error)
{
  GScanner *scanner = open_file (path, error);
  FilterSettings *settings;

  if (! scanner)
    return NULL;
  settings = settings_file_parse_settings (scanner, filter, G_TOKEN_EOF);
  gimp_scanner_unref (scanner);
  return settings;
}

/* Writing. */

/* GIO overwrites what a link leads to, and replaces only what is no link. */
static GimpConfigWriter *
create_file (const char *path, const char *header, GError **error)
{
  g_autofree char *target = realpath (path, NULL); /* NULL if there is no file yet */
  g_autoptr (GFile) file = g_file_new_for_path (target ? target : path);

  return gimp_config_writer_new_from_file (file, TRUE, header, error);
}

/* Appends the values as texts. GIMP's writer cannot be given up, so these are made before it. */
static gboolean
print_settings (GPtrArray *texts, const FilterSettings *settings, GError **error)
{
  for (guint i = 0; i < filter_settings_get_filter (settings)->n_properties; i++)
    {
      char *text = filter_settings_print (settings, i);

      if (! text)
        return fx_set_no_memory (error);
      g_ptr_array_add (texts, text);
    }
  return TRUE;
}

/* texts has those of one settings from first on. */
static void
write_settings (GimpConfigWriter *writer, const FilterDescription *filter, const GPtrArray *texts,
                guint first)
{
  for (guint i = 0; i < filter->n_properties; i++)
    {
      const FilterProperty *property = &filter->properties[i];
      const char *text = g_ptr_array_index (texts, first + i);

      gimp_config_writer_open (writer, property->name);
      if (property->type == FILTER_MATRIX) /* it contains blanks */
        gimp_config_writer_string (writer, text);
      else
        gimp_config_writer_identifier (writer, text);
      gimp_config_writer_close (writer);
    }
}

gboolean
settings_file_write_presets (const FilterDescription *filter, const char *path,
                             const GPtrArray *presets, GError **error)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  GimpConfigWriter *writer;

  for (guint i = 0; i < presets->len; i++)
    if (! print_settings (texts, ((const Preset *) presets->pdata[i])->settings, error))
      return FALSE;
  writer = create_file (path, LIST_HEADER, error);
  if (! writer)
    return FALSE;
  for (guint i = 0; i < presets->len; i++)
    {
      const Preset *preset = g_ptr_array_index (presets, i);

      gimp_config_writer_open (writer, filter->name);
      gimp_config_writer_string (writer, preset->name);
      write_settings (writer, filter, texts, i * filter->n_properties);
      gimp_config_writer_close (writer);
    }
  return gimp_config_writer_finish (writer, LIST_FOOTER, error);
}

gboolean
settings_file_export (const char *path, const FilterSettings *settings, GError **error)
{
  const FilterDescription *filter = filter_settings_get_filter (settings);
  g_autofree char *header = g_strdup_printf ("GIMP '%s' settings", filter->title);
  g_autofree char *footer = g_strdup_printf ("end of '%s' settings", filter->title);
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  GimpConfigWriter *writer;

  if (! print_settings (texts, settings, error))
    return FALSE;
  writer = create_file (path, header, error);
  if (! writer)
    return FALSE;
  write_settings (writer, filter, texts, 0);
  return gimp_config_writer_finish (writer, footer, error);
}
