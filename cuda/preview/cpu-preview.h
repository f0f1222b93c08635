/* Views of an image on the CPU: of the image itself, or, as drafts, of a smaller copy of it. */
#ifndef FX_CPU_PREVIEW_H
#define FX_CPU_PREVIEW_H

#include "engine.h"
#include "show.h"

G_BEGIN_DECLS

typedef struct FxCpuPreview FxCpuPreview;

/* engine, stored: must outlive it; the mask may change. */
FxCpuPreview *fx_cpu_preview_new (FxEngine *engine, const FxStored *stored);
void fx_cpu_preview_free (FxCpuPreview *preview);

/* Rows y to y + rows - 1, which lie within the image, have changed; the mask has. */
void fx_cpu_preview_change (FxCpuPreview *preview, int y, int rows);
void fx_cpu_preview_change_mask (FxCpuPreview *preview);

/* Renders a view, a draft where one is welcome and that takes long; draft: whether it is one. Fails
 * as fx_engine_run does. */
gboolean fx_cpu_preview_render (FxCpuPreview *preview, const FxShowJob *job, FxReport *report,
                                gboolean *draft, GError **error);

G_END_DECLS

#endif
