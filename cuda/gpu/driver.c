#include "driver.h"
#include "error.h"
#include "exit.h"

#include <cuda_runtime_api.h>
#include <glib/gi18n-lib.h>
#include <gmodule.h>
#include <string.h>

#define CALLS_VERSION 11000 /* the CUDA version of the requested functions: every driver has it */

gboolean
fx_driver_check (const FxDriver *driver, CUresult result, const char *call, GError **error)
{
  FxError code = result == CUDA_ERROR_OUT_OF_MEMORY ? FX_ERROR_MEMORY : FX_ERROR_DEVICE;
  const char *text = NULL, *name = NULL;

  if (result == CUDA_SUCCESS)
    return TRUE;
  driver->cuGetErrorString (result, &text);
  driver->cuGetErrorName (result, &name);
  return fx_fail (error, code, _ ("CUDA failed in %s: %s (%s)"), call, text ? text : "?",
                  name ? name : "?");
}

static cudaError_t
get_entry (const char *name, void **entry)
{
#if CUDART_VERSION >= 12050
  enum cudaDriverEntryPointQueryResult found;

  return cudaGetDriverEntryPointByVersion (name, entry, CALLS_VERSION, cudaEnableDefault, &found);
#elif CUDART_VERSION >= 12000
  enum cudaDriverEntryPointQueryResult found;

  return cudaGetDriverEntryPoint (name, entry, cudaEnableDefault, &found);
#else
  return cudaGetDriverEntryPoint (name, entry, cudaEnableDefault);
#endif
}

static gboolean
find_entry (const char *name, gpointer place, GError **error)
{
  void *entry = NULL;

  if (get_entry (name, &entry) != cudaSuccess || ! entry)
    return fx_fail (error, FX_ERROR_UNAVAILABLE, _ ("The NVIDIA driver has no %s"), name);
  memcpy (place, &entry, sizeof entry);
  return TRUE;
}

gboolean
fx_driver_find (FxDriver *driver, GError **error)
{
#define FIND(name) find_entry (#name, &driver->name, error) &&
  return FX_DRIVER_CALLS (FIND) TRUE;
#undef FIND
}

/* Loads the driver's library for good, before the CUDA runtime does. The runtime would also
 * initialise it at once, which is slow, and would never retry after a failure to load it. */
static gboolean
get_version (int *version, GError **error)
{
  if (g_module_open ("libcuda.so.1", G_MODULE_BIND_LAZY))
    {
      fx_exit_renew_handler ();
      if (cudaDriverGetVersion (version) == cudaSuccess && *version > 0)
        return TRUE;
    }
  return fx_fail (error, FX_ERROR_UNAVAILABLE, _ ("There is no NVIDIA driver"));
}

/* Checks for the causes in the order in which a person would. */
gboolean
fx_driver_has_device (int *version, GError **error)
{
  cudaError_t result;
  int count = 0;

  if (! get_version (version, error))
    return FALSE;
  result = cudaGetDeviceCount (&count);
  if (result == cudaErrorInsufficientDriver)
    return fx_fail (error, FX_ERROR_UNAVAILABLE,
                    _ ("The NVIDIA driver is for CUDA %d.%d, but CUDA %d.%d is needed"),
                    *version / 1000, *version % 1000 / 10, CUDART_VERSION / 1000,
                    CUDART_VERSION % 1000 / 10);
  if (result == cudaErrorNoDevice || (result == cudaSuccess && count == 0))
    return fx_fail (error, FX_ERROR_UNAVAILABLE,
                    _ ("The NVIDIA driver finds no GPU that may be used"));
  if (result == cudaErrorSystemDriverMismatch)
    return fx_fail (error, FX_ERROR_UNAVAILABLE,
                    _ ("The NVIDIA driver was updated while it was in use. Restart the computer"));
  if (result != cudaSuccess)
    return fx_fail (error, FX_ERROR_DEVICE, _ ("The GPU cannot be used: %s (%s)"),
                    cudaGetErrorString (result), cudaGetErrorName (result));
  return TRUE;
}
