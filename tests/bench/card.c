#include "card.h"

#include "blur.h"
#include "engine.h"

#include <gmodule.h>

#define WARM_UP      2
#define BUDGET       3000.0 /* milliseconds for all runs of one figure */
#define LEAST_REPEAT 3

/* The driver's calls, found at run time: the executable starts without a driver. */
static struct {
  CUresult (*module_load) (CUmodule *, const void *);
  CUresult (*module_unload) (CUmodule);
  CUresult (*get_function) (CUfunction *, CUmodule, const char *);
  CUresult (*launch) (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                      unsigned, CUstream, void **, void **);
  CUresult (*get_error_string) (CUresult, const char **);
} driver;

/* Errors. */

gboolean
card_check (cudaError_t result, const char *what, GError **error)
{
  if (result == cudaSuccess)
    return TRUE;
  cudaGetLastError (); /* what is not sticky shall not be seen by the next call */
  g_set_error (error, FX_ERROR, FX_ERROR_DEVICE, "CUDA failed to %s: %s", what,
               cudaGetErrorString (result));
  return FALSE;
}

static gboolean
check_driver (CUresult result, const char *what, GError **error)
{
  const char *text = NULL;

  if (result == CUDA_SUCCESS)
    return TRUE;
  driver.get_error_string (result, &text);
  g_set_error (error, FX_ERROR, FX_ERROR_DEVICE, "The CUDA driver failed to %s: %s", what,
               text ? text : "?");
  return FALSE;
}

/* Opening. */

static gboolean
find_driver (GError **error)
{
  const struct {
    const char *name;
    gpointer *place;
  } symbols[] = {
    { "cuModuleLoadData", (gpointer *) &driver.module_load },
    { "cuModuleUnload", (gpointer *) &driver.module_unload },
    { "cuModuleGetFunction", (gpointer *) &driver.get_function },
    { "cuLaunchKernel", (gpointer *) &driver.launch },
    { "cuGetErrorString", (gpointer *) &driver.get_error_string },
  };
  GModule *module = g_module_open ("libcuda.so.1", G_MODULE_BIND_LAZY);
  gboolean found = module != NULL;

  for (gsize i = 0; found && i < G_N_ELEMENTS (symbols); i++)
    found = g_module_symbol (module, symbols[i].name, symbols[i].place);
  if (! found)
    g_set_error (error, FX_ERROR, FX_ERROR_UNAVAILABLE, "libcuda.so.1: %s", g_module_error ());
  else
    g_module_make_resident (module);
  return found;
}

static gboolean
read_properties (Card *card, GError **error)
{
  struct cudaDeviceProp properties;
  int version;

  if (! card_check (cudaDriverGetVersion (&version), "read the driver's version", error) ||
      ! card_check (cudaSetDevice (0), "open the GPU", error) ||
      ! card_check (cudaFree (NULL), "open the GPU", error) ||
      ! card_check (cudaGetDeviceProperties (&properties, 0), "read the GPU's name", error))
    return FALSE;
  card->driver_major = version / 1000;
  card->arch = 10 * properties.major + properties.minor;
  g_strlcpy (card->name, properties.name, sizeof card->name);
  return TRUE;
}

Card *
card_open (GError **error)
{
  g_autoptr (Card) card = g_new0 (Card, 1);

  if (! read_properties (card, error) || ! find_driver (error) ||
      ! card_check (cudaStreamCreateWithFlags (&card->stream, cudaStreamNonBlocking),
                    "make a stream", error))
    return NULL;
  return g_steal_pointer (&card);
}

void
card_close (Card *card)
{
  if (! card)
    return;
  if (card->stream)
    cudaStreamDestroy (card->stream);
  g_free (card);
}

/* Memory. */

gpointer
card_new (gsize size, gconstpointer data, GError **error)
{
  void *memory = NULL;

  if (! card_check (cudaMalloc (&memory, size), "allocate GPU memory", error))
    return NULL;
  if (card_check (data ? cudaMemcpy (memory, data, size, cudaMemcpyHostToDevice)
                       : cudaMemset (memory, 0, size),
                  "fill GPU memory", error) &&
      /* A copy from pageable memory, or a fill, may still run when its call has returned, and the
       * card's stream does not wait for it. */
      card_check (cudaDeviceSynchronize (), "fill GPU memory", error))
    return memory;
  cudaFree (memory);
  return NULL;
}

gboolean
card_download (Card *card, gconstpointer from, gpointer to, gsize size, GError **error)
{
  return card_check (cudaStreamSynchronize (card->stream), "run a kernel", error) &&
         card_check (cudaMemcpy (to, from, size, cudaMemcpyDeviceToHost), "copy from the GPU",
                     error);
}

/* Time. */

static gboolean
time_runs (Card *card, CardFunc run, gpointer data, cudaEvent_t *events, double *milliseconds,
           int n, GError **error)
{
  /* Nothing waits between the runs, so that the device never waits for the host. */
  if (! card_check (cudaEventRecord (events[0], card->stream), "record an event", error))
    return FALSE;
  for (int i = 0; i < n; i++)
    if (! run (data, card, error) ||
        ! card_check (cudaEventRecord (events[i + 1], card->stream), "record an event", error))
      return FALSE;
  if (! card_check (cudaEventSynchronize (events[n]), "run", error))
    return FALSE;
  for (int i = 0; i < n; i++)
    {
      float elapsed;

      if (! card_check (cudaEventElapsedTime (&elapsed, events[i], events[i + 1]), "read an event",
                        error))
        return FALSE;
      milliseconds[i] = elapsed;
    }
  return TRUE;
}

gboolean
card_time (Card *card, CardFunc run, gpointer data, double *milliseconds, int n, int *done,
           GError **error)
{
  int most = MAX (n, WARM_UP);
  g_autofree cudaEvent_t *events = g_new0 (cudaEvent_t, most + 1);
  double warm[WARM_UP];
  gboolean good = TRUE;

  for (int i = 0; good && i <= most; i++)
    good = card_check (cudaEventCreate (&events[i]), "make an event", error);
  good = good && time_runs (card, run, data, events, warm, WARM_UP, error);
  if (good && n * warm[WARM_UP - 1] > BUDGET)
    n = MIN (n, MAX (LEAST_REPEAT, (int) (BUDGET / warm[WARM_UP - 1])));
  good = good && time_runs (card, run, data, events, milliseconds, n, error);
  for (int i = 0; i <= most; i++)
    if (events[i])
      cudaEventDestroy (events[i]);
  *done = good ? n : 0;
  return good;
}

/* Modules. */

gboolean
card_load (GBytes *code, CUmodule *module, GError **error)
{
  return check_driver (driver.module_load (module, g_bytes_get_data (code, NULL)), "load a module",
                       error);
}

void
card_unload (CUmodule module)
{
  driver.module_unload (module);
}

gboolean
card_get_kernel (CUmodule module, const char *name, CUfunction *kernel, GError **error)
{
  return check_driver (driver.get_function (kernel, module, name), "find a kernel", error);
}

gboolean
card_launch (Card *card, CUfunction kernel, unsigned x, unsigned y, unsigned side, void **args,
             GError **error)
{
  return check_driver (driver.launch (kernel, x, y, 1, side, side, 1, 0, card->stream, args, NULL),
                       "start a kernel", error);
}
