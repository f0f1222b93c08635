#define _GNU_SOURCE /* dladdr */

#include "translations.h"

#include <dlfcn.h>
#include <glib/gi18n-lib.h>
#include <libintl.h>

/* Returns the folder that contains this code, or NULL if the system does not tell. */
static char *
get_own_folder (void)
{
  g_autofree char *program = NULL;
  Dl_info info;

  if (! dladdr ((gpointer) fx_translations_bind, &info) || ! info.dli_fname)
    return NULL;
  if (g_path_is_absolute (info.dli_fname))
    return g_path_get_dirname (info.dli_fname);
  program = g_file_read_link ("/proc/self/exe", NULL); /* started by a relative path */
  return program ? g_path_get_dirname (program) : NULL;
}

char *
fx_translations_get_folder (void)
{
  g_autofree char *own = get_own_folder ();
  g_autofree char *beside = own ? g_build_filename (own, "locale", NULL) : NULL;

  if (beside && g_file_test (beside, G_FILE_TEST_IS_DIR))
    return g_steal_pointer (&beside);
  return g_strdup (LOCALEDIR);
}

void
fx_translations_bind (void)
{
  static gsize bound;

  if (g_once_init_enter (&bound))
    {
      g_autofree char *folder = fx_translations_get_folder ();

      bindtextdomain (GETTEXT_PACKAGE, folder);
      bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
      g_once_init_leave (&bound, 1);
    }
}
