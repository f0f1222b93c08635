/* An engine's devices, for code that runs work of its own on them, as the preview does. */
#pragma once

#include "cpu.h"
#include "engine.h"
#include "gpu-owner.h"

/* Checks what a run of plan over an image of format begins with, and reads the configuration for
 * it. Replaces an automatic device by the configured one, which may be automatic too, or by the CPU
 * if no GPU can run the plan. Sets limit to the bytes of memory that the run may take. Returns
 * FALSE with FX_ERROR_ARGUMENT if the plan is for another format, no GPU can run it and device is
 * the GPU, or device or the environment is invalid. */
gboolean fx_engine_configure (FxEngine *engine, const FxPlan *plan, const FxFormat *format,
                              FxDevice *device, gsize *limit, GError **error);

/* Returns the engine's CPU. Owned by engine. */
const FxCpu *fx_engine_get_cpu (const FxEngine *engine);

/* Returns what owns the engine's GPU. Owned by engine. */
FxGpuOwner *fx_engine_get_gpu_owner (const FxEngine *engine);

/* Record the device that did a run. */
void fx_report_set_cpu (FxReport *report, const FxCpu *cpu);
void fx_report_set_gpu (FxReport *report, FxGpu *gpu);

/* Records the first line of reason as the reason why the GPU was not used. */
void fx_report_fall_back (FxReport *report, const char *reason);
