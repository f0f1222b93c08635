/* Folders of temporary files, of which nothing is left however the process ends. */
#ifndef CLEANER_H
#define CLEANER_H

#include <glib.h>

G_BEGIN_DECLS

#define CLEANER_PREFIX ".cuda-blur."
#define CLEANER_FOLDER CLEANER_PREFIX "XXXXXX" /* for g_mkdtemp */

/* Has the folder, which this process has just made, removed if the process is killed: by a small
 * process that waits for that or, if this is killed as well, by a later cleaner_sweep. */
void cleaner_guard (const char *folder);

/* Removes the folders in place whose processes are gone. Those of other computers stay, because
 * some network file systems do not tell whether they are in use. */
void cleaner_sweep (const char *place);

/* Removes the folder and all that is in it. Returns 0, or -1 with errno set. */
int cleaner_remove (const char *folder);

G_END_DECLS

#endif
