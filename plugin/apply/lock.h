/* Locks among the plug-in's processes of one GIMP: the resident one, called ones, the dialog's. */
#ifndef LOCK_H
#define LOCK_H

#include <glib.h>

G_BEGIN_DECLS

#define LOCK_TURN         0 /* of who calls the resident process */
#define LOCK_WORK         1 /* of the resident process, which goes on where its caller is killed */
#define LOCK_DRAWABLE(id) (2 + (guint32) (id)) /* of who blurs it */

/* Takes a lock, and waits for it if asked to. Returns what lock_free takes, or -1: another process
 * has it, or there are no locks here, as in a privileged process, for which no one waits. The
 * kernel frees what a dead process held. */
int lock_take (guint32 what, gboolean wait);
void lock_free (int lock); /* -1 is legal */

G_END_DECLS

#endif
