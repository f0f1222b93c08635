#define _GNU_SOURCE /* for dladdr */

#include "take-over-switch.h"

#include "error.h"
#include "filters.h"

#include <dlfcn.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#define VARIABLE "CUDA_BLUR_TAKE_OVER"
#define MARK     "cuda-blur-take-over" /* setup.sh makes it */
#define PREFIX   "gegl:"

/* Returns the file's path, or NULL if the system does not know that of this module; free it. */
static char *
get_path (void)
{
  Dl_info info;
  g_autofree char *folder = NULL;

  if (! dladdr ((gpointer) take_over_switch_read, &info) || ! info.dli_fname)
    return NULL;
  folder = g_path_get_dirname (info.dli_fname);
  return g_build_filename (folder, MARK, NULL);
}

/* Returns what the user wants, and sets source to what says so; free both. */
static char *
get_text (char **source)
{
  const char *value = g_getenv (VARIABLE);
  g_autofree char *path = get_path ();
  char *text;

  *source = g_strdup (VARIABLE);
  if (value && *value)
    return g_strdup (value);
  if (! path || ! g_file_get_contents (path, &text, NULL, NULL))
    return g_strdup ("no");
  g_free (*source);
  *source = g_steal_pointer (&path);
  return g_strstrip (text);
}

/* Returns whether the module has an operation to put in the place of GEGL's with that short name.
 */
static gboolean
is_known (const char *name)
{
  for (guint i = 0; filters[i]; i++)
    for (const TakeOver *each = filters[i]->take_overs; each && each->name; each++)
      if (strcmp (each->name + strlen (PREFIX), name) == 0)
        return TRUE;
  return FALSE;
}

gboolean
take_over_switch_read (const char *name, gboolean *wanted, GError **error)
{
  g_autofree char *source = NULL, *text = get_text (&source);
  g_auto (GStrv) names = g_strsplit (text, ",", -1);

  *wanted = ! *text || strcmp (text, "yes") == 0;
  if (*wanted || strcmp (text, "no") == 0)
    return TRUE;
  for (guint i = 0; names[i]; i++)
    if (! is_known (names[i]))
      {
        *wanted = FALSE;
        return fx_refuse (error,
                          _ ("%s is \"%s\", but must be yes, no or names of GEGL's operations that "
                             "can be replaced, separated by commas"),
                          source, text);
      }
    else if (strcmp (names[i], name + strlen (PREFIX)) == 0)
      *wanted = TRUE;
  return TRUE;
}
