#include "options.h"

#include "filter-words.h"
#include "filters.h"
#include "matrix-file.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* The options as they are on the command line. */
typedef struct {
  char *sigma, *matrix, *jobs, *share;
  gboolean missing, overwrite;
  char **files;
  GPtrArray *words; /* NAME=VALUE */
  GString *named;   /* the options that choose the filter, for a message */
} Line;

static void
line_clear (Line *line)
{
  g_free (line->sigma);
  g_free (line->matrix);
  g_free (line->jobs);
  g_free (line->share);
  g_strfreev (line->files);
  g_ptr_array_unref (line->words);
  g_string_free (line->named, TRUE);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Line, line_clear)

static gboolean
misuse (GError **error, const char *message)
{
  g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED, message);
  return FALSE;
}

/* The properties of all filters are options; -s sets a sigma. */

static gboolean
take_word (const char *option, const char *value, gpointer data, GError **error)
{
  Line *line = data;

  g_ptr_array_add (line->words, g_strdup_printf ("%s=%s", option + strlen ("--"), value));
  g_string_append_printf (line->named, "%s%s", line->named->len ? ", " : "", option);
  return TRUE;
}

static gboolean
is_option (const FilterProperty *property)
{
  return property->type != FILTER_MATRIX && property->role != FILTER_ROLE_GROW &&
         strcmp (property->name, "sigma") != 0;
}

static gboolean
is_known (const GArray *entries, const char *name)
{
  for (guint i = 0; i < entries->len; i++)
    if (strcmp (g_array_index (entries, GOptionEntry, i).long_name, name) == 0)
      return TRUE;
  return FALSE;
}

static void
add_properties (GOptionGroup *group)
{
  g_autoptr (GArray) entries = g_array_new (TRUE, TRUE, sizeof (GOptionEntry));

  for (int f = 0; filters[f]; f++)
    for (guint i = 0; i < filters[f]->n_properties; i++)
      {
        const FilterProperty *property = &filters[f]->properties[i];
        const GOptionEntry entry = { property->name,
                                     0,
                                     0,
                                     G_OPTION_ARG_CALLBACK,
                                     take_word,
                                     property->tooltip,
                                     property->choices ? "NAME" : "NUMBER" };

        if (is_option (property) && ! is_known (entries, property->name))
          g_array_append_val (entries, entry);
      }
  g_option_group_add_entries (group, (GOptionEntry *) entries->data);
}

/* Returns whether the filter alone has the property. */
static gboolean
is_alone (const FilterDescription *filter, const FilterProperty *property)
{
  for (int f = 0; filters[f]; f++)
    if (filters[f] != filter && filter_find_property (filters[f], property->name) >= 0)
      return FALSE;
  return TRUE;
}

/* Returns what the command does, and a line for each filter with the options that it alone has;
 * free it. */
static char *
make_summary (void)
{
  GString *text = g_string_new (
    "Blurs the image file INPUT and writes OUTPUT, in the format of its extension; or blurs every\n"
    "FILE and writes it to OUT_DIR. A FILE that is a folder stands for the images in it. Existing\n"
    "outputs are replaced.\n\n"
    "Reads and writes JPEG, PNG, TIFF, WebP, HEIC, AVIF and JPEG XL.\n\n"
    "The options choose the filter; without any of these, it is the first:");

  for (int f = 0; filters[f]; f++)
    {
      const FilterDescription *filter = filters[f];

      g_string_append_printf (text, "\n  %s:", filter->title);
      if (filter_find_matrix (filter) >= 0)
        g_string_append (text, " --matrix");
      for (guint i = 0; i < filter->n_properties; i++)
        if (is_option (&filter->properties[i]) && is_alone (filter, &filter->properties[i]))
          g_string_append_printf (text, " --%s", filter->properties[i].name);
    }
  return g_string_free (text, FALSE);
}

static GOptionContext *
make_context (Options *options, Line *line)
{
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options->out_dir,
      "Write each FILE into this folder, under its own name", "OUT_DIR" },
    { "sigma", 's', 0, G_OPTION_ARG_STRING, &line->sigma,
      "Standard deviation of the blur in pixels, 0 to 5000; the default is 3", "SIGMA" },
    { "matrix", 'm', 0, G_OPTION_ARG_FILENAME, &line->matrix,
      "Convolve with the matrix in this file of comma-separated values instead", "MATRIX" },
    { "jobs", 'j', 0, G_OPTION_ARG_STRING, &line->jobs,
      "Number of files to process at a time; by default, as many as there are cores", "N" },
    { "share", 0, 0, G_OPTION_ARG_STRING, &line->share,
      "Process only the K-th file and every N-th after it, as one of N machines", "K/N" },
    { "missing", 0, 0, G_OPTION_ARG_NONE, &line->missing,
      "Leave out each FILE that has a result in OUT_DIR, as after a run that was interrupted",
      NULL },
    { "overwrite", 0, 0, G_OPTION_ARG_NONE, &line->overwrite,
      "Allow files to be replaced by their own results", NULL },
    { "keep-date", 0, 0, G_OPTION_ARG_NONE, &options->keep_date,
      "Give each result the date of its file", NULL },
    { "verbose", 0, 0, G_OPTION_ARG_NONE, &options->verbose, "Print how long each stage took",
      NULL },
    { "version", 0, 0, G_OPTION_ARG_NONE, &options->version, "Print the version", NULL },
    { "devices", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &options->devices, NULL, NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &line->files, NULL, NULL },
    { NULL },
  };
  GOptionContext *context = g_option_context_new ("INPUT OUTPUT [SIGMA] | -o OUT_DIR FILE...");
  GOptionGroup *group = g_option_group_new (NULL, NULL, NULL, line, NULL);
  g_autofree char *summary = make_summary ();

  g_option_group_add_entries (group, entries);
  add_properties (group);
  g_option_context_set_main_group (context, group);
  g_option_context_set_summary (context, summary);
  return context;
}

/* The filter and its settings. */

/* Takes the sigma of -s for the filter, which may have one for each axis. Returns whether it has
 * any. */
static gboolean
take_sigma (const FilterDescription *filter, Line *line)
{
  static const char *const options[] = { "--sigma", "--sigma-x", "--sigma-y" };
  guint before = line->words->len;

  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    if (filter_find_property (filter, options[i] + strlen ("--")) >= 0)
      take_word (options[i], line->sigma, line, NULL);
  return line->words->len > before;
}

/* Returns whether the filter has all properties that the options set, and a matrix if one is
 * given. */
static gboolean
fits (const FilterDescription *filter, const Line *line)
{
  if ((line->matrix != NULL) != (filter_find_matrix (filter) >= 0))
    return FALSE;
  for (guint i = 0; i < line->words->len; i++)
    {
      const char *word = line->words->pdata[i];
      g_autofree char *name = g_strndup (word, strcspn (word, "="));

      if (filter_find_property (filter, name) < 0)
        return FALSE;
    }
  return TRUE;
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
  options->summary = g_strdup_printf ("matrix %dx%d", matrix->rows, matrix->columns);
  return filter_settings_check (options->settings, error);
}

static gboolean
read_settings (Options *options, Line *line, GError **error)
{
  GPtrArray *words = line->words;
  int f;

  for (f = 0; filters[f] &&
              ! (fits (filters[f], line) && (! line->sigma || take_sigma (filters[f], line)));
       f++)
    ;
  if (line->sigma && ! filters[f])
    take_word ("--sigma", line->sigma, line, NULL);
  if (! filters[f])
    {
      g_autofree char *message = g_strdup_printf ("these options do not go %s: %s",
                                                  line->matrix ? "with --matrix"
                                                               : "without --matrix, or together",
                                                  line->named->str);

      return misuse (error, message);
    }
  options->settings = filter_settings_from_words (filters[f], (char *const *) words->pdata,
                                                  (int) words->len, error);
  if (! options->settings || (line->matrix && ! read_matrix (options, line->matrix, error)))
    return FALSE;
  if (! options->summary && (line->sigma || words->len == 0))
    options->summary = g_strdup_printf ("sigma %.10g", filter_settings_get (options->settings, 0));
  if (! options->summary)
    options->summary = filter_settings_trace (options->settings);
  return TRUE;
}

/* Files. */

/* Returns what is wrong with an input, or NULL. */
static char *
check_input (const char *path)
{
  const char *problem = NULL;

  if (! *path)
    return g_strdup ("the input's name is empty");
  if (! g_file_test (path, G_FILE_TEST_EXISTS))
    problem = "no such file";
  else if (g_file_test (path, G_FILE_TEST_IS_DIR))
    problem = "is a folder, not a file";
  else if (! g_file_test (path, G_FILE_TEST_IS_REGULAR))
    problem = "is not a plain file";
  else if (access (path, R_OK) != 0)
    problem = "cannot be read (permission denied)";
  return problem ? g_strdup_printf ("%s: %s", path, problem) : NULL;
}

/* The same for an output. */
static char *
check_output (const char *path, const char *shown)
{
  const char *problem = NULL;

  if (g_file_test (path, G_FILE_TEST_IS_DIR) || g_str_has_suffix (shown, "/"))
    problem = "is a folder; name the file to write";
  else if (! g_file_test (path, G_FILE_TEST_EXISTS))
    return NULL;
  else if (! g_file_test (path, G_FILE_TEST_IS_REGULAR))
    problem = "is not a plain file";
  else if (access (path, W_OK) != 0)
    problem = "cannot be written (permission denied)";
  return problem ? g_strdup_printf ("%s: %s", shown, problem) : NULL;
}

static void
job_free (gpointer data)
{
  Job *job = data;

  g_free (job->input);
  g_free (job->output);
  g_free (job->shown);
  g_free (job->problem);
  g_free (job);
}

static const Job *
add_job (Options *options, const char *input, const char *output, const char *shown, gboolean given)
{
  Job *job = g_new0 (Job, 1);

  job->input = g_strdup (input);
  job->output = g_strdup (output);
  job->shown = g_strdup (shown);
  job->given = given;
  job->problem = check_input (input);
  if (! job->problem)
    job->problem = check_output (output, shown);
  g_ptr_array_add (options->jobs, job);
  return job;
}

/* Returns the path that a link leads to, even if no file exists there yet; any other path
 * unchanged. Free it. */
static char *
follow_links (const char *path)
{
  char *absolute = g_canonicalize_filename (path, NULL);

  for (int i = 0; i < 40 && g_file_test (absolute, G_FILE_TEST_IS_SYMLINK); i++)
    {
      g_autofree char *folder = g_path_get_dirname (absolute);
      g_autofree char *target = g_file_read_link (absolute, NULL);

      g_free (absolute);
      absolute = g_canonicalize_filename (target ? target : "", folder);
    }
  return absolute;
}

/* Returns whether two paths are the same file. */
static gboolean
is_same (const char *a, const char *b)
{
  GStatBuf first, second;

  return g_stat (a, &first) == 0 && g_stat (b, &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

static gboolean
add_pair (Options *options, const Line *line, GError **error)
{
  const char *input = line->files[0], *output = line->files[1];
  g_autofree char *path = follow_links (output);
  g_autofree char *folder = g_path_get_dirname (path);
  const Job *job;

  if (! *output)
    return fx_refuse (error, "the output's name is empty");
  if (g_file_test (path, G_FILE_TEST_IS_SYMLINK))
    return fx_refuse (error, "%s: is a link that leads nowhere", output);
  job = add_job (options, input, path, output, TRUE);
  if (job->problem)
    return fx_refuse (error, "%s", job->problem);
  if (! line->overwrite && is_same (input, path))
    return fx_refuse (error, "%s: would be replaced by its own result, which takes --overwrite",
                      input);
  return g_file_test (folder, G_FILE_TEST_IS_DIR) ||
         fx_refuse (error, "%s: the folder %s does not exist", output, folder);
}

typedef struct {
  guint64 share, shares, place; /* place: the file's number among all */
  const Line *line;
  GHashTable *names; /* of all shares */
} Selection;

/* A file of 0 bytes may be what a crash of the machine has left. */
static gboolean
has_result (const char *path)
{
  GStatBuf status;

  return g_stat (path, &status) == 0 && S_ISREG (status.st_mode) && status.st_size > 0;
}

static gboolean
add_file (Options *options, Selection *selection, const char *input, gboolean given, GError **error)
{
  g_autofree char *name = g_path_get_basename (input);
  g_autofree char *shown = g_build_filename (options->out_dir, name, NULL);
  g_autofree char *output = g_canonicalize_filename (shown, NULL);

  if (! g_hash_table_add (selection->names, g_steal_pointer (&name)))
    return fx_refuse (error, "more than one FILE would become %s", shown);
  if (selection->place++ % selection->shares != selection->share - 1)
    return TRUE;
  if (! selection->line->overwrite && is_same (input, output))
    return fx_refuse (error,
                      "%s: would be replaced by its own result; OUT_DIR must be another folder, "
                      "unless --overwrite is given",
                      input);
  if (! selection->line->missing || ! has_result (output))
    add_job (options, input, output, shown, given);
  return TRUE;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* Adds the files of a folder except for hidden ones, sorted by name. */
static gboolean
add_folder (Options *options, Selection *selection, const char *folder, GError **error)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, error);
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  if (! dir)
    return FALSE;
  while ((name = g_dir_read_name (dir)))
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (*name != '.' && g_file_test (path, G_FILE_TEST_IS_REGULAR))
        g_ptr_array_add (paths, g_steal_pointer (&path));
    }
  if (paths->len == 0)
    return fx_refuse (error, "%s: there are no image files in this folder", folder);
  g_ptr_array_sort (paths, compare_names);
  for (guint i = 0; i < paths->len; i++)
    if (! add_file (options, selection, paths->pdata[i], FALSE, error))
      return FALSE;
  return TRUE;
}

static gboolean
read_share (Selection *selection, const char *share, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (share, "/", 2);

  if (parts[0] && parts[1] &&
      g_ascii_string_to_unsigned (parts[1], 10, 1, 9999, &selection->shares, NULL) &&
      g_ascii_string_to_unsigned (parts[0], 10, 1, selection->shares, &selection->share, NULL))
    return TRUE;
  return fx_refuse (error, "--share is '%s'; it must be K/N, such as 3/8 for the third of 8 shares",
                    share);
}

static gboolean
add_files (Options *options, const Line *line, GError **error)
{
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Selection selection = { .share = 1, .shares = 1, .line = line, .names = names };
  char *const *file;

  if (line->share && ! read_share (&selection, line->share, error))
    return FALSE;
  if (g_file_test (options->out_dir, G_FILE_TEST_EXISTS) &&
      ! g_file_test (options->out_dir, G_FILE_TEST_IS_DIR))
    return fx_refuse (error, "%s: is not a folder", options->out_dir);
  for (file = line->files; *file; file++)
    if (**file && ! (*file)[strspn (*file, "0123456789.")] &&
        ! g_file_test (*file, G_FILE_TEST_EXISTS))
      return fx_refuse (error, "%s: no such file; to set sigma, write -s %s", *file, *file);
  for (file = line->files; *file; file++)
    if (! (g_file_test (*file, G_FILE_TEST_IS_DIR)
             ? add_folder (options, &selection, *file, error)
             : add_file (options, &selection, *file, TRUE, error)))
      return FALSE;
  return TRUE;
}

static gboolean
read_line (Options *options, Line *line, GError **error)
{
  guint n = line->files ? g_strv_length (line->files) : 0;
  guint64 workers = 0;

  if (options->out_dir && n == 0)
    return misuse (error, "there is no FILE");
  if (! options->out_dir && (n < 2 || n > 3 || (n == 3 && (line->sigma || line->matrix))))
    return misuse (error, "-o OUT_DIR is missing, or for one file: INPUT OUTPUT [SIGMA]");
  if (! options->out_dir && (line->share || line->missing))
    return misuse (error, "--share and --missing take -o OUT_DIR");
  if (line->missing && line->overwrite)
    return misuse (error, "--missing keeps the files that --overwrite replaces; give one of them");
  if (! options->out_dir && n == 3)
    line->sigma = g_strdup (line->files[2]);
  if (! read_settings (options, line, error))
    return FALSE;
  if (line->jobs && ! g_ascii_string_to_unsigned (line->jobs, 10, 1, 999, &workers, NULL))
    return fx_refuse (error, "-j is '%s'; it must be a whole number, 1 to 999", line->jobs);
  options->workers = (int) workers;
  return options->out_dir ? add_files (options, line, error) : add_pair (options, line, error);
}

gboolean
options_read (Options *options, int argc, char **argv, GError **error)
{
  g_auto (Line)
    line = { .words = g_ptr_array_new_with_free_func (g_free), .named = g_string_new (NULL) };
  g_autoptr (GOptionContext) context = NULL;

  *options = (Options) { .jobs = g_ptr_array_new_with_free_func (job_free) };
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
  g_free (options->out_dir);
  g_ptr_array_unref (options->jobs);
}
