#include "mailbox.h"

void
mailbox_put (const char *folder, const char *name, const char *line)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *text = g_strconcat (line, "\n", NULL);

  g_file_set_contents (path, text, -1, NULL); /* renames */
}
