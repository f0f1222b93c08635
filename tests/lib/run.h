/* Runs the engine and the preview with the Gaussian, for all tests. */
#pragma once

#include "blur.h"
#include "preview.h"

/* Like fx_engine_run, with a plan for params. */
gboolean run_blur (FxEngine *engine, const BlurParams *params, FxDevice device,
                   const FxImage *image, FxReport *report, GError **error);

/* Like fx_preview_render, with a plan for params. */
gboolean run_view (FxPreview *preview, const BlurParams *params, FxDevice device,
                   const FxView *view, guint8 *rgba, FxProgressFunc progress, gpointer data,
                   FxViewReport *report, GError **error);
