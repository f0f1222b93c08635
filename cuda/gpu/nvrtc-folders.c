#define _GNU_SOURCE /* for strverscmp */

#include "nvrtc-folders.h"
#include "config.h"

#include <string.h>

static int
compare_newest_first (gconstpointer a, gconstpointer b)
{
  return strverscmp (*(char *const *) b, *(char *const *) a);
}

/* Adds the subfolder rest of each folder in parent whose name begins with name, newest version
 * first. */
static void
add_versions (GPtrArray *folders, const char *parent, const char *name, const char *rest)
{
  g_autoptr (GDir) dir = g_dir_open (parent, 0, NULL);
  GPtrArray *versions = g_ptr_array_new ();
  const char *version;

  while (dir && (version = g_dir_read_name (dir)))
    if (g_str_has_prefix (version, name))
      g_ptr_array_add (versions, g_build_filename (parent, version, rest, NULL));
  g_ptr_array_sort (versions, compare_newest_first);
  g_ptr_array_extend_and_steal (folders, versions);
}

/* Adds the folders in which pip installs NVIDIA's wheels of NVRTC, 13 and older, below a Python
 * prefix. */
static void
add_wheels (GPtrArray *folders, const char *prefix)
{
  g_autofree char *lib = g_build_filename (prefix, "lib", NULL);

  add_versions (folders, lib, "python3", "site-packages/nvidia/cu13/lib");
  add_versions (folders, lib, "python3", "site-packages/nvidia/cuda_nvrtc/lib");
}

/* Adds the folders of setup.sh's download and of the user's Python and Conda environments. */
static void
add_users (GPtrArray *folders)
{
  g_autofree char *local = g_build_filename (g_get_home_dir (), ".local", NULL);
  const char *environment = g_getenv ("VIRTUAL_ENV");
  const char *conda = g_getenv ("CONDA_PREFIX");

  g_ptr_array_add (folders, g_build_filename (g_get_user_data_dir (), "gimp-cuda-blur", "cuda",
                                              "lib", NULL));
  if (environment)
    add_wheels (folders, environment);
  add_wheels (folders, local);
  if (! conda)
    return;
  g_ptr_array_add (folders, g_build_filename (conda, "lib", NULL));
  add_wheels (folders, conda);
}

/* The host's link /usr/local/cuda has an absolute target, which is not below host, so this also
 * adds the toolkits beside the link. */
static void
add_host (GPtrArray *folders, const char *host)
{
  g_autofree char *local = g_build_filename (host, "usr/local", NULL);

  add_versions (folders, local, "cuda", "lib64");
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
  if (! fx_config_is_privileged ())
    add_users (folders);
  add_host (folders, host);
  g_ptr_array_add (folders, NULL);
  return (char **) g_ptr_array_free (folders, FALSE);
}
