/* A filter's parameters and a live preview, in a GIMP dialog. For the main thread only.
 *
 * It is a module of its own beside the plug-in's binary, loaded by an interactive call alone: GTK
 * and what it brings take 3 ms to load, a third of what a call costs that has no use for them. */
#ifndef DIALOG_H
#define DIALOG_H

#include "filter.h"

G_BEGIN_DECLS

#define DIALOG_MODULE "cuda-blur-dialog.so"

/* The module's one symbol. Lets the user change settings. Returns TRUE if they are to be applied;
 * FALSE if the dialog was cancelled, or with error set when drawable cannot be filtered or there is
 * no display; settings are then unchanged. The engine renders the preview, on another thread, and
 * is free again on return. What the preview has read of drawable is no good for the blur: GIMP
 * tells no plug-in when someone else writes a drawable, and to compare takes as long as to read. */
gboolean dialog_run (FxEngine *engine, gint32 drawable, FilterSettings *settings, GError **error);

G_END_DECLS

#endif
