/* Freezes GIMP's undo for some milliseconds, while this process changes an image without an undo
 * step. GIMP does not thaw it if the process is killed, so a mark on the image names the process,
 * and a later call thaws the undo of an image that a dead process has left frozen. */
#ifndef UNDO_FREEZE_H
#define UNDO_FREEZE_H

#include <glib.h>

G_BEGIN_DECLS

/* Freeze image's undo and mark the image, and thaw the undo and remove the mark. */
void undo_freeze (gint32 image);
void undo_thaw (gint32 image);

/* Thaws undo if a process that was killed has left it frozen. */
void undo_repair (gint32 image);

G_END_DECLS

#endif
