/* What a preview shares with its engine: the devices. */
#ifndef FX_ENGINE_GPU_H
#define FX_ENGINE_GPU_H

#include "cpu.h"
#include "engine.h"
#include "gpu.h"

G_BEGIN_DECLS

/* What holds for a run that begins now: sets device, where it is AUTO, to what the configuration
 * says, and limit to the bytes of memory that the run may take. FALSE with FX_ERROR_ARGUMENT where
 * device, or the environment, says what it may not. */
gboolean fx_engine_configure (FxEngine *engine, FxDevice *device, gsize *limit, GError **error);

/* Whether plan was made for that format: FALSE and FX_ERROR_ARGUMENT if not. */
gboolean fx_engine_check_plan (const FxPlan *plan, const FxFormat *format, GError **error);

const FxCpu *fx_engine_get_cpu (const FxEngine *engine);

/* The engine's GPU, opened, waited for, and this thread's current device. NULL with error on
 * failure. */
FxGpu *fx_engine_get_gpu (FxEngine *engine, GError **error);

/* The same, where it would show at once views of an image that is stored in format, as plan leaves
 * it, and enlarged or not. Else NULL, at once and without error, and it is made ready on the side,
 * for later calls, unless that has failed before: then it is tried again now and then. NULL with
 * error where it is ready, and fails. */
FxGpu *fx_engine_find_gpu (FxEngine *engine, FxPlan *plan, const FxFormat *format, gboolean grown,
                           GError **error);

/* Whether the GPU is being made ready, or has become so since it was last looked for. */
gboolean fx_engine_is_warming (const FxEngine *engine);

/* Why there is no GPU ready, as far as that is known by now. Owned by engine, until it is asked for
 * its GPU again. */
const char *fx_engine_get_cold_reason (FxEngine *engine);

/* Waits until it is no more. NULL if there is no GPU, or none yet. */
FxGpu *fx_engine_wait_for_gpu (FxEngine *engine);

/* After a failure: closes the GPU if it does not answer. */
void fx_engine_check_gpu (FxEngine *engine);

/* Enter a device as what did a run. */
void fx_report_set_cpu (FxReport *report, const FxCpu *cpu);
void fx_report_set_gpu (FxReport *report, FxGpu *gpu);

/* Enters the first line of reason as why it was not the GPU. */
void fx_report_fall_back (FxReport *report, const char *reason);

G_END_DECLS

#endif
