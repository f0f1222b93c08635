#define _GNU_SOURCE /* for strverscmp */

#include "nvrtc-folders.h"

#include <string.h>

static int
compare_newest_first (gconstpointer a, gconstpointer b)
{
  return strverscmp (*(char *const *) b, *(char *const *) a);
}

/* The host's link /usr/local/cuda has an absolute target, which is not below host. So the toolkits
 * beside it follow. */
static void
add_host (GPtrArray *folders, const char *host)
{
  g_autofree char *local = g_build_filename (host, "usr/local", NULL);
  g_autoptr (GDir) dir = g_dir_open (local, 0, NULL);
  GPtrArray *toolkits = g_ptr_array_new ();
  const char *name;

  while (dir && (name = g_dir_read_name (dir)))
    if (g_str_has_prefix (name, "cuda"))
      g_ptr_array_add (toolkits, g_build_filename (local, name, "lib64", NULL));
  g_ptr_array_sort (toolkits, compare_newest_first);
  g_ptr_array_extend_and_steal (folders, toolkits);
  g_ptr_array_add (folders, g_build_filename (host, "usr/lib/x86_64-linux-gnu", NULL));
  g_ptr_array_add (folders, g_build_filename (host, "usr/lib64", NULL));
}

char **
fx_nvrtc_folders (const char *host)
{
  GPtrArray *folders = g_ptr_array_new ();
  g_auto (GStrv) toolkit = g_strsplit (CUDA_TOOLKIT_LIBDIR, ":", -1);

  g_ptr_array_add (folders, g_strdup (""));
  for (gsize i = 0; toolkit[i]; i++)
    g_ptr_array_add (folders, g_strdup (toolkit[i]));
  g_ptr_array_add (folders, g_strdup ("/usr/local/cuda/lib64"));
  add_host (folders, host);
  g_ptr_array_add (folders, NULL);
  return (char **) g_ptr_array_free (folders, FALSE);
}
