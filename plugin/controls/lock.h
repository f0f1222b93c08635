/* Locks between the plug-in's processes of one GIMP: the resident process, processes of one call,
 * and those with a dialog. */
#pragma once

#include <glib.h>

#define LOCK_TURN         0 /* for calling the resident process */
#define LOCK_WORK         1 /* held by the resident process, even after its caller was killed */
#define LOCK_DRAWABLE(id) (2 + (guint32) (id))           /* for filtering it */
#define LOCK_IMAGE(id)    (G_MAXUINT32 - (guint32) (id)) /* while its undo is frozen */

/* Takes the lock what; if wait is TRUE, waits until it is free. Returns a handle for lock_free.
 * Returns -1 if another process holds the lock and wait is FALSE, or if the lock file cannot be
 * used, as in a privileged process; that never waits. The kernel releases the locks of a process
 * that dies. */
int lock_take (guint32 what, gboolean wait);
void lock_free (int lock); /* -1 is legal */
