/* The resident process: an extension that starts with GIMP and keeps an engine from call to call,
 * so that a call pays for neither a GPU nor a compiler. For the main thread only. */
#ifndef RESIDENT_H
#define RESIDENT_H

#include "filter.h"

#include <libgimp/gimp.h>

G_BEGIN_DECLS

/* Of the procedure that GIMP starts it by. */
#define RESIDENT_EXTENSION "extension-cuda-gaussian-blur"

/* Tells GIMP of that procedure. */
void resident_install (void);

/* Serves calls for as long as GIMP runs. After CUDA_BLUR_IDLE_SECONDS (60) without one it gives
 * back the GPU and its memory, and opens them anew for the next. */
void resident_serve (void) G_GNUC_NORETURN;

/* Gives the engine back. FALSE, with nothing done, while it serves a call. */
gboolean resident_end (void);

/* Has the resident process filter drawable, as render_apply would. forwarded: FALSE if there is
 * none, or if it is busy with another call; nothing was done then, and error is not set. */
gboolean resident_forward (gint32 drawable, const FilterSettings *settings, gboolean *forwarded,
                           GError **error);

G_END_DECLS

#endif
