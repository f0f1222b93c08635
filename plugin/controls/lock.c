#define _GNU_SOURCE /* for F_OFD_SETLK */

#include "lock.h"

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Anyone who could open the file could hold its locks. */
static gboolean
lock_is_ours (int file)
{
  struct stat st;

  return fstat (file, &st) == 0 && S_ISREG (st.st_mode) && st.st_uid == getuid () &&
         (st.st_mode & 077) == 0;
}

/* Opens one lock file for all processes of the user, in the user's private runtime folder.
 * Processes in two containers may have the same ID, so each PID namespace gets a file of its
 * own. */
static int
lock_open_file (void)
{
  const char *folder = g_get_user_runtime_dir ();
  g_autofree char *name = NULL, *path = NULL;
  struct stat space = { 0 };
  int file;

  if (fx_config_is_privileged ()) /* the folder comes from the environment */
    return -1;
  stat ("/proc/self/ns/pid", &space);
  name = g_strdup_printf ("gimp-cuda-blur-%lu.lock", (gulong) space.st_ino);
  path = g_build_filename (folder, name, NULL);
  g_mkdir_with_parents (folder, 0700);
  file = open (path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
  if (file == -1 || lock_is_ours (file))
    return file;
  close (file);
  return -1;
}

/* Each lock is one byte of the file. Each GIMP, the parent process, has a range with room for all
 * of its drawables. The lock belongs to the open file description, which no other process
 * shares. */
int
lock_take (guint32 what, gboolean wait)
{
  struct flock lock = { .l_type = F_WRLCK,
                        .l_whence = SEEK_SET,
                        .l_len = 1,
                        .l_start = ((off_t) getppid () << 32) + (off_t) what };
  int file = lock_open_file (), result;

  if (file == -1)
    return -1;
  do
    result = fcntl (file, wait ? F_OFD_SETLKW : F_OFD_SETLK, &lock);
  while (result == -1 && errno == EINTR);
  if (result == 0)
    return file;
  close (file);
  return -1;
}

void
lock_free (int lock)
{
  if (lock != -1)
    close (lock);
}
