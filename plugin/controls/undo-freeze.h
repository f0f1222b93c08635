/* Freezes GIMP's undo for some milliseconds, while this process changes an image without an undo
 * step. GIMP does not thaw it if the process is killed, so the image has a mark, and a later call
 * thaws what is marked without a process that holds the image's lock. One at a time in a process.
 */
#pragma once

#include <libgimp/gimp.h>

/* How libgimp names an image. */
#if GIMP_MAJOR_VERSION >= 3
typedef GimpImage *UndoImage;
#else
typedef gint32 UndoImage;
#endif

/* Freezes undo; undo_thaw must follow soon. Disabling undo instead would drop the history. clean is
 * TRUE before the first freeze; it becomes FALSE if the image has unsaved changes. */
void undo_freeze (UndoImage image, gboolean *clean);

/* Thaws undo. If clean, the changes since undo_freeze do not count as unsaved ones. */
void undo_thaw (UndoImage image, gboolean clean);

/* Thaws undo if a process that was killed has left it frozen. */
void undo_repair (UndoImage image);
