/* What a preview shares with its engine: the devices. */
#ifndef BLUR_ENGINE_H
#define BLUR_ENGINE_H

#include "gpu.h"

G_BEGIN_DECLS

/* The device that is asked for, by the environment where it is left open. */
gboolean blur_engine_get_device (BlurDevice wanted, BlurDevice *device, GError **error);

/* Bytes of device memory that a run may take, by the environment. */
gboolean blur_engine_get_memory_limit (gsize *limit, GError **error);

/* The engine's GPU, opened, waited for, and this thread's current device. NULL with error on failure. */
BlurGpu *blur_engine_get_gpu (BlurEngine *engine, GError **error);

/* The same, where it would show at once views of an image that is stored in format, blurred as plan
 * says. Else NULL, at once, with error, and it is made ready on the side, for later calls, unless that
 * has failed before: then it is tried again now and then. */
BlurGpu *blur_engine_find_gpu (BlurEngine *engine, BlurPlan *plan, const BlurFormat *format,
                               GError **error);

/* Whether the GPU is being made ready. */
gboolean blur_engine_is_warming (const BlurEngine *engine);

/* Waits until it is no more. NULL if there is no GPU, or none yet. */
BlurGpu *blur_engine_wait_for_gpu (BlurEngine *engine);

/* After a failure: closes the GPU if it does not answer. */
void blur_engine_check_gpu (BlurEngine *engine);

/* Enters the first line of reason as why it was not the GPU. */
void blur_report_fall_back (BlurReport *report, const char *reason);

G_END_DECLS

#endif
