#include "options.h"

#include "filter-words.h"
#include "filters.h"
#include "matrix-file.h"

#include <string.h>

/* The parts of the command line from which the settings are made. */
typedef struct {
  char *filter; /* its name; NULL: the first one that has all words */
  char *matrix;
  GPtrArray *words; /* NAME=VALUE */
  GString *named;   /* their options, for a message */
} Line;

static void
line_clear (Line *line)
{
  g_free (line->filter);
  g_free (line->matrix);
  g_ptr_array_unref (line->words);
  g_string_free (line->named, TRUE);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Line, line_clear)

#define misuse(error, ...) \
  (g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED, __VA_ARGS__), FALSE)

/* The properties of all filters are options. Two numbers that are a pair, such as sigma-x and
 * sigma-y, are also one option, sigma. */

/* Returns that option for the first number of a pair, else NULL. */
static const char *
get_pair (const FilterProperty *property)
{
  g_autofree char *name = g_strndup (property->name, strcspn (property->name, "-"));

  return property->pair ? g_intern_string (name) : NULL;
}

/* Returns the number of the property, or of the first one of the pair; -1: the filter has none. */
static int
find_property (const FilterDescription *filter, const char *name)
{
  int found = filter_find_property (filter, name);

  for (guint i = 0; found < 0 && i < filter->n_properties; i++)
    if (g_strcmp0 (get_pair (&filter->properties[i]), name) == 0)
      found = (int) i;
  return found;
}

/* The option with a letter, which is also the last word of a line for one file. */
static const char *
get_main_option (void)
{
  return get_pair (&filters[0]->properties[0]);
}

static gboolean
take_word (const char *option, const char *value, gpointer data, GError **error)
{
  Line *line = data;
  const char *name = option[1] == '-' ? option + 2 : get_main_option ();
  g_autofree char *start = g_strconcat (name, "=", NULL);

  for (guint i = 0; i < line->words->len; i++)
    if (g_str_has_prefix (line->words->pdata[i], start))
      return misuse (error, "%s is set twice", name);
  g_ptr_array_add (line->words, g_strconcat (start, value, NULL));
  g_string_append_printf (line->named, "%s--%s", line->named->len ? ", " : "", name);
  return TRUE;
}

static const char *
describe_pair (const FilterProperty *property)
{
  g_autofree char *text = g_strdup_printf ("Both --%s and --%s, %g to %g; the default is %g",
                                           property->name, property[1].name, property->minimum,
                                           property->maximum, property->initial);

  return g_intern_string (text);
}

/* Returns what the option is for in the filter, or NULL if the filter does not have it. */
static const char *
get_text (const FilterDescription *filter, const char *name)
{
  int found = find_property (filter, name);
  const FilterProperty *property = found < 0 ? NULL : &filter->properties[found];

  if (! property)
    return NULL;
  return strcmp (property->name, name) == 0 ? property->tooltip : describe_pair (property);
}

/* Adds the titles of the filters for which the option is what it is for filter f, unless one before
 * f is among them, and what it is. Returns whether it has. */
static gboolean
add_meaning (GString *all, const char *name, int f)
{
  const char *text = get_text (filters[f], name);
  g_autoptr (GString) titles = g_string_new (NULL);

  for (int other = 0; text && filters[other]; other++)
    if (g_strcmp0 (get_text (filters[other], name), text) == 0)
      {
        if (other < f)
          return FALSE;
        g_string_append_printf (titles, "%s%s", titles->len ? ", " : "", filters[other]->title);
      }
  if (text)
    g_string_append_printf (all, "%s%s: %s", all->len ? ". " : "", titles->str, text);
  return text != NULL;
}

/* Returns what the option is for: by the title of a filter that alone has it, and by those of all
 * that have it if it is a number and means something else in each. */
static const char *
describe (const char *name, gboolean choice)
{
  g_autoptr (GString) all = g_string_new (NULL);
  const char *first = NULL;
  int count = 0, meanings = 0;

  for (int f = 0; filters[f]; f++)
    {
      const char *text = get_text (filters[f], name);

      first = first ? first : text;
      count += text != NULL;
      meanings += add_meaning (all, name, f);
    }
  return count > 1 && (choice || meanings == 1) ? first : g_intern_string (all->str);
}

static gboolean
is_option (const FilterProperty *property)
{
  return property->type != FILTER_MATRIX && property->role != FILTER_ROLE_GROW;
}

static void
add_option (GArray *entries, const char *name, const FilterProperty *property)
{
  const char *main = get_main_option ();
  const char *text = describe (name, property->choices != NULL);
  const GOptionEntry entry = {
    name, (char) (main && name == main ? *main : 0), 0, G_OPTION_ARG_CALLBACK, take_word,
    text, property->choices ? "NAME" : "NUMBER"
  };

  for (guint i = 0; i < entries->len; i++)
    if (strcmp (g_array_index (entries, GOptionEntry, i).long_name, name) == 0)
      return;
  g_array_append_val (entries, entry);
}

static void
add_properties (const FilterDescription *filter, GArray *entries)
{
  for (guint i = 0; i < filter->n_properties; i++)
    {
      const FilterProperty *property = &filter->properties[i];

      if (property->pair)
        add_option (entries, get_pair (property), property);
      if (is_option (property))
        add_option (entries, property->name, property);
    }
}

static GOptionContext *
make_context (Options *options, Line *line)
{
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options->out_dir,
      "Write each FILE into this folder, under its own name", "OUT_DIR" },
    { "filter", 0, 0, G_OPTION_ARG_STRING, &line->filter,
      "The filter; by default, the first one that has all options which are given", "FILTER" },
    { "matrix", 'm', 0, G_OPTION_ARG_FILENAME, &line->matrix,
      "Convolve with the matrix in this file of comma-separated values instead", "MATRIX" },
    { "map", 0, 0, G_OPTION_ARG_FILENAME, &options->map,
      "Blur each pixel as strongly as this image, of the same size, is bright there", "MAP" },
    { "jobs", 'j', 0, G_OPTION_ARG_INT, &options->workers,
      "Number of files to process at a time; by default, as many as there are cores", "N" },
    { "share", 0, 0, G_OPTION_ARG_STRING, &options->share,
      "Process only the K-th file and every N-th after it, as one of N machines", "K/N" },
    { "missing", 0, 0, G_OPTION_ARG_NONE, &options->missing,
      "Leave out each FILE that has a result in OUT_DIR, as after a run that was interrupted",
      NULL },
    { "overwrite", 0, 0, G_OPTION_ARG_NONE, &options->overwrite,
      "Allow files to be replaced by their own results", NULL },
    { "keep-date", 0, 0, G_OPTION_ARG_NONE, &options->keep_date,
      "Give each result the date of its file", NULL },
    { "verbose", 0, 0, G_OPTION_ARG_NONE, &options->verbose, "Print how long each stage took",
      NULL },
    { "version", 0, 0, G_OPTION_ARG_NONE, &options->version, "Print the version", NULL },
    { "devices", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &options->devices, NULL, NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->files, NULL, NULL },
    { NULL },
  };
  GOptionContext *context = g_option_context_new ("INPUT OUTPUT [SIGMA] | -o OUT_DIR FILE...");
  GOptionGroup *group = g_option_group_new (NULL, NULL, NULL, line, NULL);
  g_autoptr (GArray) properties = g_array_new (TRUE, TRUE, sizeof (GOptionEntry));

  g_option_group_add_entries (group, entries);
  for (int f = 0; filters[f]; f++)
    add_properties (filters[f], properties);
  g_option_group_add_entries (group, (GOptionEntry *) properties->data);
  g_option_context_set_main_group (context, group);
  g_option_context_set_summary (
    context,
    "Blurs the image file INPUT and writes OUTPUT, in the format of its extension; or blurs every\n"
    "FILE and writes it to OUT_DIR. A FILE that is a folder stands for the images in it. Existing\n"
    "outputs are replaced.\n\n"
    "Reads and writes JPEG, PNG, TIFF, WebP, HEIC, AVIF and JPEG XL.\n\n"
    "An option that one filter alone has chooses that filter, and names it. Without such an "
    "option,\n"
    "and without --filter, files are blurred by sigma.");
  return context;
}

/* The filter and its settings. */

/* Adds what a word sets of the filter. Returns FALSE if the filter has no such property. */
static gboolean
add_word (const FilterDescription *filter, const char *word, GPtrArray *words)
{
  const char *value = word + strcspn (word, "=");
  g_autofree char *name = g_strndup (word, (gsize) (value - word));
  int found = find_property (filter, name);
  gboolean pair = found >= 0 && strcmp (filter->properties[found].name, name) != 0;

  for (int i = found; found >= 0 && i <= found + pair; i++)
    g_ptr_array_add (words, g_strconcat (filter->properties[i].name, value, NULL));
  return found >= 0;
}

/* Returns the words for the filter, or NULL if it is not the one that line names, if it has not all
 * properties that are set, or if only one of the command line and filter has a matrix, or a map. */
static GPtrArray *
get_words (const FilterDescription *filter, const Line *line, gboolean map)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  gboolean fits = (! line->filter || strcmp (line->filter, filter->name) == 0) &&
                  (line->matrix != NULL) == (filter_find_matrix (filter) >= 0) &&
                  map == (filter->map.label != NULL);

  for (guint i = 0; i < line->words->len && fits; i++)
    fits = add_word (filter, line->words->pdata[i], words);
  return fits ? g_steal_pointer (&words) : NULL;
}

static gboolean
read_matrix (Options *options, const char *path, GError **error)
{
  const FilterDescription *filter = filter_settings_get_filter (options->settings);
  int property = filter_find_matrix (filter);
  g_autoptr (FilterMatrix)
    matrix = matrix_file_load (path, (int) filter->properties[property].maximum, error);

  if (! matrix)
    {
      if (error && ! strstr ((*error)->message, path))
        g_prefix_error (error, "%s: ", path);
      return FALSE;
    }
  filter_settings_set_matrix (options->settings, (guint) property, matrix);
  return filter_settings_check (options->settings, error);
}

/* Returns the settings in short; free it. */
static char *
sum_up (const FilterSettings *settings)
{
  const char *pair = get_pair (&filter_settings_get_filter (settings)->properties[0]);
  double first = filter_settings_get (settings, 0);

  return pair && first == filter_settings_get (settings, 1)
           ? g_strdup_printf ("%s %.10g", pair, first)
           : filter_settings_trace (settings);
}

static gboolean
check_filter (const char *name, GError **error)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (int f = 0; filters[f]; f++)
    {
      if (! name || strcmp (filters[f]->name, name) == 0)
        return TRUE;
      g_string_append_printf (names, "%s%s", f > 0 ? ", " : "", filters[f]->name);
    }
  return misuse (error, "filter is '%s', but must be one of: %s", name, names->str);
}

static gboolean
read_settings (Options *options, const Line *line, GError **error)
{
  g_autoptr (GPtrArray) words = NULL;
  int f = 0;

  if (! check_filter (line->filter, error))
    return FALSE;
  while (filters[f] && ! (words = get_words (filters[f], line, options->map != NULL)))
    f++;
  if (! words)
    return misuse (error, "these options do not go %s: %s",
                   line->matrix   ? "with --matrix"
                   : options->map ? "with --map"
                                  : "without --matrix or --map, or together",
                   line->named->len ? line->named->str : "--filter");
  options->settings = filter_settings_from_words (filters[f], (char *const *) words->pdata,
                                                  (int) words->len, error);
  if (! options->settings || (line->matrix && ! read_matrix (options, line->matrix, error)))
    return FALSE;
  options->summary = sum_up (options->settings);
  return TRUE;
}

static gboolean
read_line (Options *options, Line *line, GError **error)
{
  guint n = options->files ? g_strv_length (options->files) : 0;

  if (options->out_dir && n == 0)
    return misuse (error, "there is no FILE");
  if (! options->out_dir && (n < 2 || n > 3))
    return misuse (error, "-o OUT_DIR is missing, or for one file: INPUT OUTPUT [SIGMA]");
  if (! options->out_dir && (options->share || options->missing))
    return misuse (error, "--share and --missing take -o OUT_DIR");
  if (options->missing && options->overwrite)
    return misuse (error, "--missing keeps the files that --overwrite replaces; give one of them");
  if (options->workers < 0 || options->workers > 999)
    return misuse (error, "-j is %d; it must be 1 to 999", options->workers);
  if (! options->out_dir && n == 3 && ! take_word ("-", options->files[2], line, error))
    return FALSE;
  return read_settings (options, line, error);
}

gboolean
options_read (Options *options, int argc, char **argv, GError **error)
{
  g_auto (Line)
    line = { .words = g_ptr_array_new_with_free_func (g_free), .named = g_string_new (NULL) };
  g_autoptr (GOptionContext) context = NULL;

  *options = (Options) { 0 };
  context = make_context (options, &line);
  if (! g_option_context_parse (context, &argc, &argv, error))
    return FALSE;
  return options->version || options->devices || read_line (options, &line, error);
}

void
options_clear (Options *options)
{
  filter_settings_free (options->settings);
  g_free (options->summary);
  g_free (options->map);
  g_free (options->out_dir);
  g_strfreev (options->files);
  g_free (options->share);
  g_clear_pointer (&options->jobs, g_ptr_array_unref);
}
