/* The time that a GPU takes for a plan, from device memory to device memory. */
#pragma once

#include "gpu.h"

FX_BEGIN_API

/* Runs plan n times, and sets milliseconds[0] to [n - 1] to the device's time for each. pixels is
 * width * height pixels of host memory, and result receives as many. The device must be in use
 * (fx_gpu_use). Returns FALSE with error on failure. */
gboolean device_time (FxGpu *gpu, const FxPlan *plan, int width, int height, gconstpointer pixels,
                      gpointer result, double *milliseconds, int n, GError **error);

FX_END_API
