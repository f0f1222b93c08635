/* Views of an image on the CPU: of the image itself, or, as drafts, of a smaller copy of it. */
#ifndef BLUR_CPU_PREVIEW_H
#define BLUR_CPU_PREVIEW_H

#include "preview-job.h"

G_BEGIN_DECLS

typedef struct BlurCpuPreview BlurCpuPreview;

/* engine, stored: must outlive it; the mask may change. */
BlurCpuPreview *blur_cpu_preview_new (BlurEngine *engine, const BlurStored *stored);
void blur_cpu_preview_free (BlurCpuPreview *preview);

/* Rows y to y + rows - 1, which lie within the image, have changed; the mask has. */
void blur_cpu_preview_change (BlurCpuPreview *preview, int y, int rows);
void blur_cpu_preview_change_mask (BlurCpuPreview *preview);

/* Renders a view, a draft where one is welcome and that takes long; draft: whether it is one. Fails
 * as blur_engine_run does. */
gboolean blur_cpu_preview_render (BlurCpuPreview *preview, const BlurPreviewJob *job,
                                  BlurReport *report, gboolean *draft, GError **error);

G_END_DECLS

#endif
