/* Views of an image that stays on the GPU. Where the build has no CUDA, nogpu.c stands in. */
#ifndef FX_GPU_PREVIEW_H
#define FX_GPU_PREVIEW_H

#include "gpu.h"
#include "preview-job.h"

G_BEGIN_DECLS

/* What the host knows of the image on the device. Its address tells it from others, and a device
 * holds one at a time. */
typedef struct {
  gboolean *stale; /* one a row: the device has not got it yet */
  gboolean mask_stale;
} FxResident;

/* Whether a view of an image that is stored in format would start at once, with no program to load
 * or to compile; makes it so. plan: of the blur. */
gboolean fx_gpu_is_ready_to_show (FxGpu *gpu, const BlurPlan *plan, const FxFormat *format);
gboolean fx_gpu_get_ready_to_show (FxGpu *gpu, const BlurPlan *plan, const FxFormat *format,
                                   GError **error);

/* Renders job, whose blur has plan; what of the image is stale goes up first. gpu is this thread's
 * current device. Fails with FX_ERROR_CANCELLED or as
 * fx_gpu_backend does. */
gboolean fx_gpu_show (FxGpu *gpu, FxResident *resident, const BlurPlan *plan,
                      const FxPreviewJob *job, GError **error);

/* Gives back the image's memory, if it is resident's. */
void fx_gpu_forget (FxGpu *gpu, const FxResident *resident);

G_END_DECLS

#endif
