#include "settings-file.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <libgimpbase/gimpbase.h>
#include <libgimpconfig/gimpconfig.h>
#include <math.h>
#include <string.h>

#define PRESET        "cuda-gaussian-blur" /* what a preset begins with */
#define LIST_HEADER   "settings"           /* comments, as GIMP writes them */
#define LIST_FOOTER   "end of settings"
#define EXPORT_HEADER "GIMP 'Gaussian Blur (CUDA)' settings"
#define EXPORT_FOOTER "end of 'Gaussian Blur (CUDA)' settings"

typedef enum {
  PROPERTY_NUMBER,
  PROPERTY_WHOLE_NUMBER,
  PROPERTY_CHOICE,
} PropertyType;

typedef struct {
  const char *name;
  PropertyType type;
  gsize offset;               /* in RenderSettings */
  const char *const *choices; /* by value; ends with NULL */
} Property;

static const char *const abysses[] = { "clamp", "none", "black", "white", NULL };
static const char *const lights[] = { "linear", "perceptual", NULL };
static const char *const booleans[] = { "no", "yes", NULL };
static const char *const devices[] = { "auto", "gpu", "cpu", NULL };

#define OFFSET(member) G_STRUCT_OFFSET (RenderSettings, member)

static const Property properties[] = {
  { "sigma-x", PROPERTY_NUMBER, OFFSET (params.sigma_x), NULL },
  { "sigma-y", PROPERTY_NUMBER, OFFSET (params.sigma_y), NULL },
  { "kernel-size", PROPERTY_WHOLE_NUMBER, OFFSET (params.kernel_size), NULL },
  { "abyss", PROPERTY_CHOICE, OFFSET (params.abyss), abysses },
  { "light", PROPERTY_CHOICE, OFFSET (params.light), lights },
  { "grow", PROPERTY_CHOICE, OFFSET (grow), booleans },
  { "device", PROPERTY_CHOICE, OFFSET (params.device), devices },
};

Preset *
preset_new (const char *name, const RenderSettings *settings)
{
  Preset *preset = g_new (Preset, 1);

  preset->name = g_strdup (name);
  preset->settings = *settings;
  return preset;
}

void
preset_free (Preset *preset)
{
  g_free (preset->name);
  g_free (preset);
}

/* Reading. A parser that returns FALSE has set the scanner's error, once. */

/* Says that the next token is another than expected. */
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

/* A minus sign is not left to gimp_scanner_parse_float, which makes 2^64 - 3 of -3. */
static gboolean
parse_number (GScanner *scanner, double *number)
{
  gboolean negative = gimp_scanner_parse_token (scanner, (GTokenType) '-');

  if (! gimp_scanner_parse_float (scanner, number))
    return refuse_token (scanner, G_TOKEN_FLOAT);
  if (negative)
    *number = -*number;
  return TRUE;
}

/* Not by gimp_scanner_parse_int, which drops the upper bits of a large one. */
static gboolean
parse_whole_number (GScanner *scanner, int *number)
{
  double value;

  if (! parse_number (scanner, &value))
    return FALSE;
  if (value != floor (value))
    {
      g_scanner_error (scanner, _("%g is not a whole number"), value);
      return FALSE;
    }
  *number = (int) CLAMP (value, G_MININT, G_MAXINT);
  return TRUE;
}

static gboolean
parse_choice (GScanner *scanner, const Property *property, int *choice)
{
  g_autofree char *allowed = NULL;

  if (! parse_token (scanner, G_TOKEN_IDENTIFIER))
    return FALSE;
  for (*choice = 0; property->choices[*choice]; (*choice)++)
    if (strcmp (property->choices[*choice], scanner->value.v_identifier) == 0)
      return TRUE;
  allowed = g_strjoinv (", ", (char **) property->choices);
  g_scanner_error (scanner, _("%s is '%s', but must be one of: %s"), property->name,
                   scanner->value.v_identifier, allowed);
  return FALSE;
}

static gboolean
parse_value (GScanner *scanner, const Property *property, RenderSettings *settings)
{
  gpointer value = (guint8 *) settings + property->offset;

  switch (property->type)
    {
    case PROPERTY_NUMBER:
      return parse_number (scanner, value);
    case PROPERTY_WHOLE_NUMBER:
      return parse_whole_number (scanner, value);
    case PROPERTY_CHOICE:
      return parse_choice (scanner, property, value);
    }
  g_return_val_if_reached (FALSE);
}

/* The rest of a property that this version does not know. */
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

/* All but the one that was set last have passed before. */
static gboolean
check_range (GScanner *scanner, const RenderSettings *settings)
{
  g_autoptr (GError) error = NULL;

  if (blur_params_check (&settings->params, &error))
    return TRUE;
  g_scanner_error (scanner, "%s", error->message);
  return FALSE;
}

/* After its opening parenthesis. seen: a bit for each of properties. */
static gboolean
parse_property (GScanner *scanner, RenderSettings *settings, guint *seen)
{
  gsize i;

  if (! parse_token (scanner, G_TOKEN_IDENTIFIER))
    return FALSE;
  for (i = 0; i < G_N_ELEMENTS (properties); i++)
    if (strcmp (properties[i].name, scanner->value.v_identifier) == 0)
      {
        *seen |= 1u << i;
        return parse_value (scanner, &properties[i], settings) && check_range (scanner, settings) &&
               parse_token (scanner, G_TOKEN_RIGHT_PAREN);
      }
  return skip_property (scanner);
}

/* All properties, then the token end. */
static gboolean
parse_settings (GScanner *scanner, GTokenType end, RenderSettings *settings)
{
  guint seen = 0;
  gsize i;

  *settings = (RenderSettings) { .grow = FALSE };
  while (gimp_scanner_parse_token (scanner, G_TOKEN_LEFT_PAREN))
    if (! parse_property (scanner, settings, &seen))
      return FALSE;
  if (! parse_token (scanner, end))
    return FALSE;
  for (i = 0; i < G_N_ELEMENTS (properties); i++)
    if (! (seen & 1u << i))
      {
        g_scanner_error (scanner, _("%s is missing"), properties[i].name);
        return FALSE;
      }
  return TRUE;
}

static gboolean
parse_name (GScanner *scanner, char **name)
{
  if (! gimp_scanner_parse_string_no_validate (scanner, name))
    return refuse_token (scanner, G_TOKEN_STRING);
  if (*name && g_utf8_validate (*name, -1, NULL))
    return TRUE;
  g_scanner_error (scanner, _("the name is empty or not in UTF-8"));
  return FALSE;
}

/* After its opening parenthesis. */
static gboolean
parse_preset (GScanner *scanner, GPtrArray *presets)
{
  g_autofree char *name = NULL;
  RenderSettings settings;

  if (! parse_token (scanner, G_TOKEN_IDENTIFIER))
    return FALSE;
  if (strcmp (scanner->value.v_identifier, PRESET) != 0)
    {
      g_scanner_error (scanner, _("there is '%s' where '%s' must be"), scanner->value.v_identifier,
                       PRESET);
      return FALSE;
    }
  if (! parse_name (scanner, &name) || ! parse_settings (scanner, G_TOKEN_RIGHT_PAREN, &settings))
    return FALSE;
  g_ptr_array_add (presets, preset_new (name, &settings));
  return TRUE;
}

/* To the scanner the last line is a comment like any other, but a file that was cut off between two
 * presets does not have it. */
static gboolean
check_footer (GScanner *scanner, const char *path)
{
  g_autofree char *text = NULL;

  if (g_file_get_contents (path, &text, NULL, NULL) &&
      g_str_has_suffix (g_strchomp (text), "# " LIST_FOOTER))
    return TRUE;
  g_scanner_error (scanner, _("the file is incomplete: it must end with '# %s'"), LIST_FOOTER);
  return FALSE;
}

static gboolean
parse_presets (GScanner *scanner, const char *path, GPtrArray *presets)
{
  while (gimp_scanner_parse_token (scanner, G_TOKEN_LEFT_PAREN))
    if (! parse_preset (scanner, presets))
      return FALSE;
  return parse_token (scanner, G_TOKEN_EOF) && check_footer (scanner, path);
}

GPtrArray *
settings_file_read_presets (const char *path, GError **error)
{
  g_autoptr (GPtrArray) presets = g_ptr_array_new_with_free_func ((GDestroyNotify) preset_free);
  g_autoptr (GError) problem = NULL;
  GScanner *scanner = gimp_scanner_new_file (path, &problem);

  if (scanner)
    {
      parse_presets (scanner, path, presets);
      gimp_scanner_destroy (scanner);
    }
  if (problem && ! g_error_matches (problem, GIMP_CONFIG_ERROR, GIMP_CONFIG_ERROR_OPEN_ENOENT))
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return NULL;
    }
  return g_steal_pointer (&presets);
}

gboolean
settings_file_import (const char *path, RenderSettings *settings, GError **error)
{
  GScanner *scanner = gimp_scanner_new_file (path, error);
  RenderSettings imported;
  gboolean done;

  if (! scanner)
    return FALSE;
  done = parse_settings (scanner, G_TOKEN_EOF, &imported);
  gimp_scanner_destroy (scanner);
  if (done)
    *settings = imported;
  return done;
}

/* Writing. */

static void
write_value (GimpConfigWriter *writer, const Property *property, const RenderSettings *settings)
{
  gconstpointer value = (const guint8 *) settings + property->offset;
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  switch (property->type)
    {
    case PROPERTY_NUMBER:
      g_ascii_dtostr (number, sizeof number, *(const double *) value);
      gimp_config_writer_identifier (writer, number);
      break;
    case PROPERTY_WHOLE_NUMBER:
      gimp_config_writer_printf (writer, "%d", *(const int *) value);
      break;
    case PROPERTY_CHOICE:
      gimp_config_writer_identifier (writer, property->choices[*(const int *) value]);
      break;
    }
}

static void
write_settings (GimpConfigWriter *writer, const RenderSettings *settings)
{
  gsize i;

  for (i = 0; i < G_N_ELEMENTS (properties); i++)
    {
      gimp_config_writer_open (writer, properties[i].name);
      write_value (writer, &properties[i], settings);
      gimp_config_writer_close (writer);
    }
}

gboolean
settings_file_write_presets (const char *path, const GPtrArray *presets, GError **error)
{
  GimpConfigWriter *writer = gimp_config_writer_new_file (path, TRUE, LIST_HEADER, error);
  guint i;

  if (! writer)
    return FALSE;
  for (i = 0; i < presets->len; i++)
    {
      const Preset *preset = g_ptr_array_index (presets, i);

      gimp_config_writer_open (writer, PRESET);
      gimp_config_writer_string (writer, preset->name);
      write_settings (writer, &preset->settings);
      gimp_config_writer_close (writer);
    }
  return gimp_config_writer_finish (writer, LIST_FOOTER, error);
}

gboolean
settings_file_export (const char *path, const RenderSettings *settings, GError **error)
{
  GimpConfigWriter *writer = gimp_config_writer_new_file (path, TRUE, EXPORT_HEADER, error);

  if (! writer)
    return FALSE;
  write_settings (writer, settings);
  return gimp_config_writer_finish (writer, EXPORT_FOOTER, error);
}
