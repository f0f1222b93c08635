/* Views of an image that stays on the GPU. Where the build has no CUDA, none.c stands in. */
#ifndef FX_SHOW_H
#define FX_SHOW_H

#include "gpu.h"
#include "program.h"
#include "view.h"

G_BEGIN_DECLS

/* kernels/reduce.cu, which needs no plan; of its case it takes the codec, in linear light. */
extern const FxProgram fx_program_reduce;

/* One view of an image, as a plan leaves it. */
typedef struct {
  const FxStored *stored;
  FxPlan *plan;
  const FxView *view;
  guint8 *rgba; /* view->rect's pixels of 4 bytes, straight alpha, through the format's curve */
  gsize limit;  /* bytes of device memory that it may take */
  FxProgressFunc progress; /* may be NULL */
  gpointer data;
} FxShowJob;

/* What the host knows of the image on the device. Its address tells it from others, and a device
 * holds one at a time. */
typedef struct {
  gboolean *stale; /* one a row: the device has not got it yet */
  gboolean mask_stale;
} FxDeviceImage;

/* Whether a view of an image that is stored in format would start at once, with no program to load
 * or to compile; and makes it so. grown: of an image that is enlarged. */
gboolean fx_gpu_is_ready_to_show (FxGpu *gpu, const FxPlan *plan, const FxFormat *format,
                                  gboolean grown);
gboolean fx_gpu_make_ready_to_show (FxGpu *gpu, const FxPlan *plan, const FxFormat *format,
                                    gboolean grown, GError **error);

/* Renders job; what of the image is stale goes up first. gpu is this thread's current device. Fails
 * with FX_ERROR_CANCELLED or as fx_gpu_backend does. */
gboolean fx_gpu_show (FxGpu *gpu, FxDeviceImage *image, const FxShowJob *job, GError **error);

/* Gives back the memory that image has on the device, if it is there. */
void fx_gpu_forget (FxGpu *gpu, const FxDeviceImage *image);

G_END_DECLS

#endif
