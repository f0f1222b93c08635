/* Renders views of an image on the CPU, from the image itself or, for drafts, from a smaller
 * copy. */
#pragma once

#include "engine.h"
#include "gpu-view.h"

typedef struct FxCpuPreview FxCpuPreview;

/* Creates the preview. engine and stored must outlive it; stored's mask may change. Never returns
 * NULL. */
FxCpuPreview *fx_cpu_preview_new (FxEngine *engine, const FxStored *stored);
void fx_cpu_preview_free (FxCpuPreview *preview);

/* Mark rows y to y + rows - 1, which must lie within the image, or the mask as changed. */
void fx_cpu_preview_change (FxCpuPreview *preview, int y, int rows);
void fx_cpu_preview_change_mask (FxCpuPreview *preview);

/* Renders a view, or a draft if the view accepts one and would take long. Sets draft to whether it
 * is one. Fails as fx_engine_run does. */
gboolean fx_cpu_preview_render (FxCpuPreview *preview, const FxViewJob *job, FxReport *report,
                                gboolean *draft, GError **error);
