/* Lines of text for a script, as files of a folder. A file appears by renaming, so that nobody
 * reads half a line. */
#pragma once

#include <glib.h>

void mailbox_put (const char *folder, const char *name, const char *line);
