/* A filter's parameters and a live preview, in a GIMP dialog. For the main thread only.
 *
 * The dialog is a module beside the plug-in's binary, which only interactive calls load: GTK and
 * its libraries take 3 ms to load, a third of the time of a call that does not need them. */
#pragma once

#include "filter.h"

#define DIALOG_MODULE "cuda-blur-dialog.so"

/* The module's only symbol. Lets the user change settings, and map if the filter takes one: it
 * begins with that, if there is such a drawable. Returns TRUE if they are to be applied. Returns
 * FALSE if the user cancelled, and FALSE with error if drawable cannot be filtered or there is no
 * display; settings are then unchanged. The engine renders the preview on another thread, and is
 * free again on return. The filter cannot use the pixels that the preview has read: GIMP does not
 * tell plug-ins when someone else writes to a drawable, and comparing takes as long as reading. The
 * preview has the map as it was when it was chosen; the filter reads it again. */
gboolean dialog_run (FxEngine *engine, gint32 drawable, gint32 *map, FilterSettings *settings,
                     GError **error);
