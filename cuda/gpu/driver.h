/* The CUDA driver, located at run time, so that the program also starts without one. The CUDA
 * runtime is used only to locate the driver and to look for devices: other calls would retain a
 * device's context for the life of the process. */
#pragma once

#include <cuda.h>
#include <glib.h>

#define FX_DRIVER_CALLS(call)                                                                  \
  call (cuCtxGetCurrent) call (cuCtxPopCurrent) call (cuCtxPushCurrent) call (cuCtxSetCurrent) \
    call (cuDeviceGet) call (cuDeviceGetAttribute) call (cuDeviceGetName)                      \
      call (cuDevicePrimaryCtxRelease) call (cuDevicePrimaryCtxRetain) call (cuEventCreate)    \
        call (cuEventDestroy) call (cuEventRecord) call (cuEventSynchronize)                   \
          call (cuFuncGetAttribute) call (cuFuncSetAttribute) call (cuGetErrorName)            \
            call (cuGetErrorString) call (cuLaunchKernel) call (cuMemAlloc) call (cuMemFree)   \
              call (cuMemGetInfo) call (cuMemHostRegister) call (cuMemHostUnregister)          \
                call (cuMemcpyDtoHAsync) call (cuMemcpyHtoDAsync) call (cuModuleGetFunction)   \
                  call (cuModuleGetGlobal) call (cuModuleLoadData) call (cuModuleUnload)       \
                    call (cuOccupancyMaxActiveBlocksPerMultiprocessor) call (cuStreamCreate)   \
                      call (cuStreamDestroy) call (cuStreamSynchronize)

/* The driver's functions, as members of the same names. */
typedef struct {
#define FX_DRIVER_MEMBER(name) __typeof__ (name) *name;
  FX_DRIVER_CALLS (FX_DRIVER_MEMBER)
#undef FX_DRIVER_MEMBER
} FxDriver;

/* Returns TRUE if there is a usable device. Sets version to the CUDA version that the driver
 * supports, 12040 for 12.4, if there is a driver. Otherwise returns FALSE with FX_ERROR_UNAVAILABLE
 * and a message that says what is missing, or with FX_ERROR_DEVICE if CUDA fails. */
gboolean fx_driver_has_device (int *version, GError **error);

/* Locates the driver's functions. Returns FALSE with FX_ERROR_UNAVAILABLE if the driver lacks one;
 * driver is then incomplete. */
gboolean fx_driver_find (FxDriver *driver, GError **error);

/* Returns TRUE if result is CUDA_SUCCESS, else FALSE with FX_ERROR_MEMORY or FX_ERROR_DEVICE.
 * call is the name of the function that returned it. */
gboolean fx_driver_check (const FxDriver *driver, CUresult result, const char *call,
                          GError **error);
