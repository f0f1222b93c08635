#include "cleaner.h"

#include <fcntl.h>
#include <ftw.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
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

/* Returns the name of the file in a folder that its process locks until it ends, on this computer;
 * free it. */
static char *
get_lock (const char *prefix)
{
  return g_strdelimit (g_strconcat (prefix, g_get_host_name (), NULL), "/", '-');
}

/* The file gets its name when it is locked. It stays open. */
static void
lock (const char *folder)
{
  g_autofree char *name = get_lock ("lock-"), *path = g_build_filename (folder, name, NULL);
  g_autofree char *new_name = get_lock ("new-"), *new = g_build_filename (folder, new_name, NULL);
  int fd = open (new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

  if (fd >= 0 && flock (fd, LOCK_EX | LOCK_NB) == 0)
    g_rename (new, path);
}

/* Opens what is this user's own, without waiting. Returns -1 on failure. */
static int
open_own (int parent, const char *name, int flags)
{
  int fd = openat (parent, name, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  struct stat status;

  if (fd < 0 || (fstat (fd, &status) == 0 && status.st_uid == geteuid ()))
    return fd;
  close (fd);
  return -1;
}

/* In a folder of another user, anything may have the lock's name, such as a pipe, and the folder
 * might change while it is removed. */
static void
sweep_folder (const char *folder)
{
  g_autofree char *name = get_lock ("lock-");
  int place = open_own (AT_FDCWD, folder, O_RDONLY | O_DIRECTORY);
  int fd = place < 0 ? -1 : open_own (place, name, O_WRONLY);

  if (fd >= 0 && flock (fd, LOCK_EX | LOCK_NB) == 0)
    cleaner_remove (folder);
  if (fd >= 0)
    close (fd);
  if (place >= 0)
    close (place);
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
