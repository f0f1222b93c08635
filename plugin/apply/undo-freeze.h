/* GIMP's undo, frozen for some milliseconds in which this process changes an image without an undo
 * step. GIMP does not thaw it for a process that is killed: so that is marked on the image, and
 * what is found frozen by a process that is no more is thawed. */
#ifndef UNDO_FREEZE_H
#define UNDO_FREEZE_H

#include <glib.h>

G_BEGIN_DECLS

void undo_freeze (gint32 image);
void undo_thaw (gint32 image);

/* Thaws undo where a process that was killed has left it frozen. */
void undo_repair (gint32 image);

G_END_DECLS

#endif
