/* The tests' one way into the engine and one into the preview, for the Gaussian. */
#ifndef RUN_H
#define RUN_H

#include "blur.h"
#include "preview.h"

G_BEGIN_DECLS

/* As fx_engine_run, with params, on device. */
gboolean run_blur (FxEngine *engine, const BlurParams *params, FxDevice device,
                   const FxImage *image, FxReport *report, GError **error);

/* As fx_preview_render, with params, on device. */
gboolean run_view (FxPreview *preview, const BlurParams *params, FxDevice device,
                   const FxView *view, guint8 *rgba, FxProgressFunc progress, gpointer data,
                   FxViewReport *report, GError **error);

G_END_DECLS

#endif
