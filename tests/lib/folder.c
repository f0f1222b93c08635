#include "folder.h"

#include <glib/gstdio.h>

void
folder_remove (const char *path)
{
  g_autoptr (GDir) dir = NULL;
  const char *name;

  if (g_file_test (path, G_FILE_TEST_IS_DIR) && ! g_file_test (path, G_FILE_TEST_IS_SYMLINK))
    {
      (void) ! g_chmod (path, 0700); /* a test may have removed its permissions */
      dir = g_dir_open (path, 0, NULL);
    }
  while (dir && (name = g_dir_read_name (dir)))
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      folder_remove (child);
    }
  g_remove (path);
}
