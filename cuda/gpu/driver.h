/* The CUDA driver, found at run time: the binary starts without one. The runtime serves to find it
 * and for nothing else, for it would hold a device's context for as long as the process lives. */
#ifndef FX_DRIVER_H
#define FX_DRIVER_H

#include <cuda.h>
#include <glib.h>

G_BEGIN_DECLS

#define FX_DRIVER_CALLS(call)                                                                     \
  call (cuCtxGetCurrent) call (cuCtxPopCurrent) call (cuCtxPushCurrent) call (cuCtxSetCurrent)    \
    call (cuDeviceGet) call (cuDeviceGetAttribute) call (cuDeviceGetName)                         \
      call (cuDevicePrimaryCtxRelease) call (cuDevicePrimaryCtxRetain) call (cuEventCreate)       \
        call (cuEventDestroy) call (cuEventElapsedTime) call (cuEventRecord)                      \
          call (cuEventSynchronize) call (cuFuncGetAttribute) call (cuFuncSetAttribute)           \
            call (cuGetErrorName) call (cuGetErrorString) call (cuLaunchKernel) call (cuMemAlloc) \
              call (cuMemFree) call (cuMemGetInfo) call (cuMemHostRegister)                       \
                call (cuMemHostUnregister) call (cuMemcpyDtoHAsync) call (cuMemcpyHtoDAsync)      \
                  call (cuModuleGetFunction) call (cuModuleLoadData) call (cuModuleUnload)        \
                    call (cuOccupancyMaxActiveBlocksPerMultiprocessor) call (cuStreamCreate)      \
                      call (cuStreamDestroy) call (cuStreamSynchronize)

/* Each call under its own name. */
typedef struct {
#define FX_DRIVER_MEMBER(name) __typeof__ (name) *name;
  FX_DRIVER_CALLS (FX_DRIVER_MEMBER)
#undef FX_DRIVER_MEMBER
} FxDriver;

/* Whether there is a device that may be used, and version. FALSE with FX_ERROR_UNAVAILABLE, which
 * says what is missing. */
gboolean fx_driver_has_device (int *version, GError **error);

/* Finds the calls. FALSE with error where the driver lacks one. */
gboolean fx_driver_find (FxDriver *driver, GError **error);

/* TRUE for CUDA_SUCCESS, else FALSE with FX_ERROR_MEMORY or FX_ERROR_DEVICE. what: the verb phrase
 * of "CUDA failed to ...". */
gboolean fx_driver_check (const FxDriver *driver, CUresult result, const char *what,
                          GError **error);

G_END_DECLS

#endif
