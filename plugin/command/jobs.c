#include "jobs.h"

#include "error.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Returns what is wrong with an input, or with an output at path; or NULL. */
static char *
check (const char *path, const char *shown, gboolean output)
{
  const char *problem = NULL;
  gboolean exists = g_file_test (path, G_FILE_TEST_EXISTS);

  if (! *path)
    return g_strdup ("the input's name is empty");
  if (! exists && ! output)
    problem = "no such file";
  else if (g_file_test (path, G_FILE_TEST_IS_DIR) || (output && g_str_has_suffix (shown, "/")))
    problem = output ? "is a folder; name the file to write" : "is a folder, not a file";
  else if (exists && ! g_file_test (path, G_FILE_TEST_IS_REGULAR))
    problem = "is not a plain file";
  else if (exists && access (path, output ? W_OK : R_OK) != 0)
    problem = output ? "cannot be written (permission denied)"
                     : "cannot be read (permission denied)";
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
  job->problem = check (input, input, FALSE);
  if (! job->problem)
    job->problem = check (output, shown, TRUE);
  g_ptr_array_add (options->jobs, job);
  return job;
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
add_pair (Options *options, GError **error)
{
  const char *input = options->files[0], *output = options->files[1];
  g_autofree char *real = realpath (output, NULL);
  g_autofree char *path = g_canonicalize_filename (real ? real : output, NULL);
  g_autofree char *folder = g_path_get_dirname (path);
  const Job *job;

  if (! *output)
    return fx_refuse (error, "the output's name is empty");
  if (g_file_test (path, G_FILE_TEST_IS_SYMLINK))
    return fx_refuse (error, "%s: is a link that leads nowhere", output);
  job = add_job (options, input, path, output, TRUE);
  if (job->problem)
    return fx_refuse (error, "%s", job->problem);
  if (! options->overwrite && is_same (input, path))
    return fx_refuse (error, "%s: would be replaced by its own result, which takes --overwrite",
                      input);
  return g_file_test (folder, G_FILE_TEST_IS_DIR) ||
         fx_refuse (error, "%s: the folder %s does not exist", output, folder);
}

typedef struct {
  guint64 share, shares, place; /* place: the file's number among all */
  GHashTable *names;            /* of all shares */
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
  if (! options->overwrite && is_same (input, output))
    return fx_refuse (error,
                      "%s: would be replaced by its own result; OUT_DIR must be another folder, "
                      "unless --overwrite is given",
                      input);
  if (! options->missing || ! has_result (output))
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
add_files (Options *options, GError **error)
{
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Selection selection = { .share = 1, .shares = 1, .names = names };

  if (options->share && ! read_share (&selection, options->share, error))
    return FALSE;
  if (g_file_test (options->out_dir, G_FILE_TEST_EXISTS) &&
      ! g_file_test (options->out_dir, G_FILE_TEST_IS_DIR))
    return fx_refuse (error, "%s: is not a folder", options->out_dir);
  for (char *const *file = options->files; *file; file++)
    if (**file && ! (*file)[strspn (*file, "0123456789.")] &&
        ! g_file_test (*file, G_FILE_TEST_EXISTS))
      return fx_refuse (error, "%s: no such file; to set sigma, write -s %s", *file, *file);
  for (char *const *file = options->files; *file; file++)
    if (! (g_file_test (*file, G_FILE_TEST_IS_DIR)
             ? add_folder (options, &selection, *file, error)
             : add_file (options, &selection, *file, TRUE, error)))
      return FALSE;
  return TRUE;
}

gboolean
jobs_find (Options *options, GError **error)
{
  options->jobs = g_ptr_array_new_with_free_func (job_free);
  return options->out_dir ? add_files (options, error) : add_pair (options, error);
}
