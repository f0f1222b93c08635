/* The parameters and a live preview, in a GIMP dialog. For the main thread only. */
#ifndef DIALOG_H
#define DIALOG_H

#include "render.h"

G_BEGIN_DECLS

/* Connects to the display that GIMP shows its images on. FALSE with error set if there is none. Starts
 * GEGL. */
gboolean dialog_init (GError **error);

/* Lets the user change settings. Returns TRUE if they are to be applied; FALSE if the dialog was
 * cancelled, or with error set when drawable cannot be blurred; settings are then unchanged. The
 * engine renders the preview, on another thread, and is free again on return. */
gboolean dialog_run (BlurEngine *engine, gint32 drawable, RenderSettings *settings,
                     GError **error);

G_END_DECLS

#endif
