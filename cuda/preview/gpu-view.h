/* Views of a resident image on the GPU. A build without CUDA has no-gpu-view.c
 * instead. */
#pragma once

#include "devices.h"
#include "resident-source.h"
#include "view.h"

/* The program of kernels/reduce.cu. It needs no plan; its case has the codec for linear light. */
extern const FxProgram fx_program_reduce;

/* One view of an image, filtered by a plan. */
typedef struct {
  const FxStored *stored;
  FxPlan *plan;
  const FxView *view;
  guint8 *rgba;            /* view->rect's pixels: 4 bytes, straight alpha, the format's curve */
  gsize limit;             /* the maximum bytes of device memory to use */
  FxProgressFunc progress; /* may be NULL */
  gpointer data;
} FxViewJob;

/* The parts of an image that are resident on a device, which stores one image at a time. */
typedef struct {
  FxResidentSource *source;
  gboolean mask; /* whether the mask is resident */
} FxDeviceImage;

/* Renders job, after uploading the parts of the image that are not resident. gpu must be this
 * thread's current device. Fails with FX_ERROR_CANCELLED or like fx_gpu_backend; the contents of
 * job->rgba are then undefined. */
gboolean fx_gpu_render_view (FxGpu *gpu, FxDeviceImage *image, const FxViewJob *job,
                             GError **error);
