/* Folders of temporary files. */
#pragma once

#include <glib.h>

/* Makes a folder in place, whose owner this process is until it ends; free its path. Removes what
 * processes that are gone have left there, if they were killed. Returns NULL if place cannot be
 * written to. */
char *cleaner_make_folder (const char *place);

/* Removes the folder and all that is in it. Returns 0, or -1 with errno set. */
int cleaner_remove (const char *folder);
