/* The engine's devices, for the preview. */
#ifndef FX_ENGINE_GPU_H
#define FX_ENGINE_GPU_H

#include "cpu.h"
#include "engine.h"
#include "gpu.h"

G_BEGIN_DECLS

/* The use that a GPU is to be ready for. It is passed to its own functions, which may be called on
 * another thread. */
typedef struct FxUse FxUse;
struct FxUse {
  /* Returns whether the use could begin at once, with its programs loaded. */
  gboolean (*is_ready) (FxGpu *gpu, const FxUse *use);

  /* Loads the programs, after compiling them if needed. gpu is the thread's current device. */
  gboolean (*make_ready) (FxGpu *gpu, const FxUse *use, GError **error);

  FxPlan *plan;    /* a warm-up holds a reference to it */
  FxFormat format; /* of the image, for uses that need it */
};

/* Reads the configuration for a run that begins now. Replaces an automatic device by the configured
 * one, which may be automatic too, and sets limit to the bytes of memory that the run may take.
 * Returns FALSE with FX_ERROR_ARGUMENT if device or the environment is invalid. */
gboolean fx_engine_configure (FxEngine *engine, FxDevice *device, gsize *limit, GError **error);

/* Makes an automatic device the CPU if no GPU can run the plan. Returns FALSE with
 * FX_ERROR_ARGUMENT if the device is the GPU. */
gboolean fx_engine_settle_device (const FxPlan *plan, FxDevice *device, GError **error);

/* Checks that plan was made for format; returns FALSE with FX_ERROR_ARGUMENT if not. */
gboolean fx_engine_check_plan (const FxPlan *plan, const FxFormat *format, GError **error);

/* Returns the engine's CPU. Owned by engine. */
const FxCpu *fx_engine_get_cpu (const FxEngine *engine);

/* Returns the engine's GPU, and makes it this thread's current device. Opens it if needed, and
 * waits for a warm-up under way. Returns NULL with error on failure. The GPU belongs to engine. */
FxGpu *fx_engine_get_gpu (FxEngine *engine, GError **error);

/* Returns the engine's GPU, as fx_engine_get_gpu does, if it is ready for use. Otherwise returns
 * NULL without error and at once, and starts warming the GPU up in the background for later calls.
 * After a failure, the warm-up is retried with back-off. Returns NULL with error if the GPU is
 * ready but fails. */
FxGpu *fx_engine_find_gpu (FxEngine *engine, const FxUse *use, GError **error);

/* Returns whether the GPU is warming up, or has finished since the engine last looked for it. */
gboolean fx_engine_is_warming (const FxEngine *engine);

/* Returns the reason why no GPU is ready, as far as it is known; never NULL. The text belongs to
 * engine and is valid until the next call that asks for the GPU. */
const char *fx_engine_get_not_ready_reason (FxEngine *engine);

/* Waits for a warm-up under way. Returns the GPU, or NULL if none is open. */
FxGpu *fx_engine_wait_for_gpu (FxEngine *engine);

/* Call this after a failure: closes the GPU if it no longer responds, and says so in failure. */
void fx_engine_check_gpu (FxEngine *engine, GError **failure);

/* Record the device that did a run. */
void fx_report_set_cpu (FxReport *report, const FxCpu *cpu);
void fx_report_set_gpu (FxReport *report, FxGpu *gpu);

/* Records the first line of reason as the reason why the GPU was not used. */
void fx_report_fall_back (FxReport *report, const char *reason);

G_END_DECLS

#endif
