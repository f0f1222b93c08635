#include "cleaner.h"

#include <fcntl.h>
#include <ftw.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

#define PREFIX ".cuda-blur."

static int
remove_entry (const char *path, const struct stat *status, int type, struct FTW *place)
{
  return remove (path);
}

int
cleaner_remove (const char *folder)
{
  return nftw (folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* Returns the file in folder that its process locks until it ends, on this computer; free it. */
static char *
get_lock (const char *folder, const char *prefix)
{
  g_autofree char *name = g_strconcat (prefix, g_get_host_name (), NULL);

  return g_build_filename (folder, g_strdelimit (name, "/", '-'), NULL);
}

/* The file gets its name when it is locked. It stays open. */
static void
lock (const char *folder)
{
  g_autofree char *path = get_lock (folder, "lock-"), *new = get_lock (folder, "new-");
  int fd = open (new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

  if (fd >= 0 && flock (fd, LOCK_EX | LOCK_NB) == 0)
    g_rename (new, path);
}

/* A folder of another user might change while it is removed. */
static void
sweep_folder (const char *folder)
{
  g_autofree char *path = get_lock (folder, "lock-");
  int fd = open (path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
  GStatBuf status;

  if (fd < 0)
    return;
  if (g_lstat (folder, &status) == 0 && status.st_uid == geteuid () &&
      flock (fd, LOCK_EX | LOCK_NB) == 0)
    cleaner_remove (folder);
  close (fd);
}

/* Removes the folders in place whose processes are gone. Those of other computers stay, because
 * some network file systems do not tell whether they are in use. */
static void
sweep (const char *place)
{
  g_autoptr (GDir) dir = g_dir_open (place, 0, NULL);
  const char *name;

  while (dir && (name = g_dir_read_name (dir)))
    if (g_str_has_prefix (name, PREFIX))
      {
        g_autofree char *folder = g_build_filename (place, name, NULL);

        sweep_folder (folder);
      }
}

char *
cleaner_make_folder (const char *place)
{
  g_autofree char *folder = g_build_filename (place, PREFIX "XXXXXX", NULL);

  sweep (place);
  if (! g_mkdtemp (folder))
    return NULL;
  lock (folder);
  return g_steal_pointer (&folder);
}
