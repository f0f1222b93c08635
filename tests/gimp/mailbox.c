#include "mailbox.h"

#include <glib/gstdio.h>
#include <unistd.h>

#define PAUSE 5000 /* microseconds between two looks */

void
mailbox_put (const char *folder, const char *name, const char *line)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *text = g_strconcat (line, "\n", NULL);

  g_file_set_contents (path, text, -1, NULL); /* renames */
}

gboolean
mailbox_has (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

char *
mailbox_take (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  pid_t gimp = getppid ();
  char *line = NULL;

  while (! g_file_get_contents (path, &line, NULL, NULL))
    {
      if (getppid () != gimp)
        return g_strdup ("quit");
      g_usleep (PAUSE);
    }
  g_unlink (path);
  return g_strchomp (line);
}
