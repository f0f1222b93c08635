#include "temporary.h"

#include "../lib/folder.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <unistd.h>

static char *folder;

static void
clean_up (void)
{
  folder_remove (folder);
  g_free (folder);
}

/* In memory if possible, because there are thousands of files per second. */
char *
temporary_get_path (const char *name)
{
  if (! folder)
    {
      gboolean memory = g_access ("/dev/shm", W_OK) == 0;

      folder = g_build_filename (memory ? "/dev/shm" : g_get_tmp_dir (), "fuzz-XXXXXX", NULL);
      g_assert_nonnull (g_mkdtemp (folder));
      atexit (clean_up);
    }
  return g_build_filename (folder, name, NULL);
}

/* g_file_set_contents would rename and sync. */
char *
temporary_set_contents (const char *name, gconstpointer data, gsize size)
{
  char *path = temporary_get_path (name);
  int fd = g_open (path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (write (fd, data, size), ==, (gssize) size);
  close (fd);
  return path;
}
