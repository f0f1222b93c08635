/* Views of an image that stays on the GPU. Where the build has no CUDA, nogpu.c stands in. */
#ifndef BLUR_GPU_PREVIEW_H
#define BLUR_GPU_PREVIEW_H

#include "gpu.h"
#include "preview-job.h"

G_BEGIN_DECLS

/* What the host knows of the image on the device. Its address tells it from others, and a device holds
 * one at a time. */
typedef struct {
  gboolean *stale; /* one a row: the device has not got it yet */
  gboolean mask_stale;
} BlurResident;

/* Whether a view of an image that is stored in format would start at once, with no program to load or
 * to compile; makes it so. plan: of the blur. */
gboolean blur_gpu_is_ready_to_show (BlurGpu *gpu, const BlurPlan *plan, const BlurFormat *format);
gboolean blur_gpu_get_ready_to_show (BlurGpu *gpu, const BlurPlan *plan, const BlurFormat *format,
                                     GError **error);

/* Renders job, whose blur has plan; what of the image is stale goes up first. gpu is this thread's
 * current device. Fails with BLUR_ERROR_CANCELLED or as
 * blur_gpu_backend does. */
gboolean blur_gpu_show (BlurGpu *gpu, BlurResident *resident, const BlurPlan *plan,
                        const BlurPreviewJob *job, GError **error);

/* Gives back the image's memory, if it is resident's. */
void blur_gpu_forget (BlurGpu *gpu, const BlurResident *resident);

G_END_DECLS

#endif
