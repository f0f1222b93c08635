#include "safe-path.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Removes the last name from path. Returns FALSE if path is the root. */
static gboolean
cut_name (char *path)
{
  char *slash = strrchr (path, '/');

  if (! slash || strcmp (path, "/") == 0)
    return FALSE;
  slash[slash == path] = '\0';
  return TRUE;
}

static gboolean
is_trusted (uid_t owner)
{
  return owner == 0 || owner == geteuid ();
}

/* Returns whether no folder on path, up to the root, lets everybody replace an entry of the
 * path. */
static gboolean
is_path_safe (const char *path)
{
  g_autofree char *component = g_strdup (path);
  struct stat inner, st;

  if (lstat (component, &inner) != 0)
    return FALSE;
  while (cut_name (component))
    {
      if (stat (component, &st) != 0)
        return FALSE;
      if ((st.st_mode & S_IWOTH) && ! ((st.st_mode & S_ISVTX) && is_trusted (inner.st_uid)))
        return FALSE;
      if (lstat (component, &inner) != 0)
        return FALSE;
    }
  return TRUE;
}

gboolean
fx_path_is_safe (const char *path)
{
  char *target = realpath (path, NULL);
  struct stat st;
  gboolean safe = target && stat (target, &st) == 0 && ! (st.st_mode & S_IWOTH) &&
                  g_path_is_absolute (path) && is_path_safe (path) && is_path_safe (target);

  free (target);
  return safe;
}
