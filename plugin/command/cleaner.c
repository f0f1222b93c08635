#include "cleaner.h"

#include <fcntl.h>
#include <ftw.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

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

/* Returns the file in folder that its process holds a lock of, on this computer; free it. */
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

/* So that a signal to the group of this process, as a terminal sends it, does not end the cleaner.
 */
static void
leave_session (gpointer data)
{
  setsid ();
}

/* The pipe ends when this process does. */
static void
start_process (const char *folder)
{
  char *const words[] = {
    (char *) "/bin/sh",
    (char *) "-c",
    (char *) "PATH=/usr/bin:/bin; read -r _; "
             "for i in 1 2 3 4 5; do rm -rf -- \"$0\" && exit; sleep 1; done",
    (char *) folder,
    NULL,
  };
  int pipe; /* stays open */

  g_spawn_async_with_pipes (NULL, (char **) words, NULL,
                            G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL, leave_session,
                            NULL, NULL, &pipe, NULL, NULL, NULL);
}

void
cleaner_guard (const char *folder)
{
  lock (folder);
  start_process (folder);
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

void
cleaner_sweep (const char *place)
{
  g_autoptr (GDir) dir = g_dir_open (place, 0, NULL);
  const char *name;

  while (dir && (name = g_dir_read_name (dir)))
    if (g_str_has_prefix (name, CLEANER_PREFIX))
      {
        g_autofree char *folder = g_build_filename (place, name, NULL);

        sweep_folder (folder);
      }
}
