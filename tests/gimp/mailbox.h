/* Lines of text from one process to another, as files of a folder. A file appears by renaming, so
 * that nobody reads half a line. */
#pragma once

#include <glib.h>

void mailbox_put (const char *folder, const char *name, const char *line);

/* Returns whether there is a line of that name. */
gboolean mailbox_has (const char *folder, const char *name);

/* Waits for a line of that name and takes it; free it. Returns "quit" where GIMP, this process's
 * parent, has been killed: nobody else would say so. */
char *mailbox_take (const char *folder, const char *name);
