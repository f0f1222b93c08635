#include "npp.h"

#include "blur.h"
#include "engine.h"

#include <gmodule.h>
#include <math.h>
#include <string.h>

#define REACH            4.0 /* sigmas; as SciPy, CuPy and torchvision's own callers have it */
#define BORDER_REPLICATE 2   /* NPP_BORDER_REPLICATE */

/* Types from nppdefs.h, so that neither the build nor the start needs NPP. */

typedef struct {
  int width, height;
} NppSize;

typedef struct {
  int x, y;
} NppPoint;

typedef struct {
  int major, minor, build;
} NppVersion;

typedef struct {
  cudaStream_t stream;
  int device, multiprocessors, threads_per_multiprocessor, threads_per_block;
  size_t shared_per_block;
  int major, minor;
  unsigned stream_flags, reserved;
} NppContext;

typedef int (*FilterFunc) (const float *, int, NppSize, NppPoint, float *, int, NppSize,
                           const float *, int, int, int, NppContext);
typedef int (*GaussFunc) (const guint8 *, int, NppSize, NppPoint, guint8 *, int, NppSize, int,
                          const float *, int, NppContext);

struct Npp {
  GModule *core, *filters;
  char version[24];
  FilterFunc filter_row, filter_column;
  GaussFunc gauss;
  const NppVersion *(*get_version) (void);
  NppContext context;

  /* Of one blur: */
  gboolean is_float;
  int width, height, taps;
  float *weights; /* taps, on the host */
  gconstpointer pixels;
  void *source, *half, *result, *kernel; /* on the device */
};

/* Opening. */

static GModule *
open_library (const char *name, int major)
{
  g_autofree char *file = g_strdup_printf ("lib%s.so.%d", name, major);
  g_autofree char *path = g_build_filename ("/usr/local/cuda/lib64", file, NULL);
  GModule *module = g_module_open (file, G_MODULE_BIND_LAZY);

  return module ? module : g_module_open (path, G_MODULE_BIND_LAZY);
}

static gboolean
find_calls (Npp *npp)
{
  return g_module_symbol (npp->filters, "nppiFilterRowBorder_32f_C4R_Ctx",
                          (gpointer *) &npp->filter_row) &&
         g_module_symbol (npp->filters, "nppiFilterColumnBorder_32f_C4R_Ctx",
                          (gpointer *) &npp->filter_column) &&
         g_module_symbol (npp->filters, "nppiFilterGaussAdvancedBorder_8u_C4R_Ctx",
                          (gpointer *) &npp->gauss) &&
         g_module_symbol (npp->core, "nppGetLibVersion", (gpointer *) &npp->get_version);
}

static gboolean
fill_context (NppContext *context, Card *card, GError **error)
{
  struct cudaDeviceProp properties;

  if (! card_check (cudaGetDeviceProperties (&properties, 0), "read the GPU's properties", error) ||
      ! card_check (cudaStreamGetFlags (card->stream, &context->stream_flags),
                    "read the stream's flags", error))
    return FALSE;
  context->stream = card->stream;
  context->multiprocessors = properties.multiProcessorCount;
  context->threads_per_multiprocessor = properties.maxThreadsPerMultiProcessor;
  context->threads_per_block = properties.maxThreadsPerBlock;
  context->shared_per_block = properties.sharedMemPerBlock;
  context->major = properties.major;
  context->minor = properties.minor;
  return TRUE;
}

Npp *
npp_open (Card *card, GError **error)
{
  g_autoptr (Npp) npp = g_new0 (Npp, 1);
  const NppVersion *version;

  for (int major = card->driver_major; major >= 11 && ! npp->filters; major--)
    {
      g_clear_pointer (&npp->core, g_module_close);
      npp->core = open_library ("nppc", major); /* first: the other finds it by name */
      npp->filters = npp->core ? open_library ("nppif", major) : NULL;
    }
  if (! npp->filters || ! find_calls (npp))
    {
      g_set_error (error, FX_ERROR, FX_ERROR_UNAVAILABLE, "NPP: %s", g_module_error ());
      return NULL;
    }
  if (! fill_context (&npp->context, card, error))
    return NULL;
  version = npp->get_version ();
  g_snprintf (npp->version, sizeof npp->version, "%d.%d.%d", version->major, version->minor,
              version->build);
  return g_steal_pointer (&npp);
}

static void
clear_blur (Npp *npp)
{
  g_clear_pointer (&npp->weights, g_free);
  g_clear_pointer (&npp->source, cudaFree);
  g_clear_pointer (&npp->half, cudaFree);
  g_clear_pointer (&npp->result, cudaFree);
  g_clear_pointer (&npp->kernel, cudaFree);
}

void
npp_close (Npp *npp)
{
  if (! npp)
    return;
  clear_blur (npp);
  if (npp->filters)
    g_module_close (npp->filters);
  if (npp->core)
    g_module_close (npp->core);
  g_free (npp);
}

const char *
npp_get_version (const Npp *npp)
{
  return npp->version;
}

/* A blur. */

static void
make_weights (Npp *npp, double sigma)
{
  int radius = (int) ceil (REACH * sigma);
  double sum = 0.0;

  npp->taps = 2 * radius + 1;
  npp->weights = g_new (float, npp->taps);
  for (int k = -radius; k <= radius; k++)
    sum += exp (-0.5 * k * k / (sigma * sigma));
  for (int k = -radius; k <= radius; k++)
    npp->weights[k + radius] = (float) (exp (-0.5 * k * k / (sigma * sigma)) / sum);
}

static gsize
get_row_bytes (const Npp *npp)
{
  return (gsize) npp->width * 4 * (npp->is_float ? sizeof (float) : 1);
}

gboolean
npp_begin (Npp *npp, gboolean is_float, int width, int height, double sigma, gconstpointer pixels,
           GError **error)
{
  gsize size;

  clear_blur (npp);
  npp->is_float = is_float;
  npp->width = width;
  npp->height = height;
  npp->pixels = pixels;
  make_weights (npp, sigma);
  size = get_row_bytes (npp) * height;
  return (npp->source = card_new (size, pixels, error)) &&
         (npp->result = card_new (size, NULL, error)) &&
         (! is_float || (npp->half = card_new (size, NULL, error))) &&
         (npp->kernel = card_new (npp->taps * sizeof (float), npp->weights, error));
}

static gboolean
check (int status, GError **error)
{
  if (status == 0)
    return TRUE;
  g_set_error (error, FX_ERROR, FX_ERROR_DEVICE, "NPP failed: status %d", status);
  return FALSE;
}

gboolean
npp_run (gpointer data, Card *card, GError **error)
{
  Npp *npp = data;
  const NppSize size = { npp->width, npp->height };
  const NppPoint origin = { 0, 0 };
  int step = (int) get_row_bytes (npp);

  if (! npp->is_float)
    return check (npp->gauss (npp->source, step, size, origin, npp->result, step, size, npp->taps,
                              npp->kernel, BORDER_REPLICATE, npp->context),
                  error);
  return check (npp->filter_row (npp->source, step, size, origin, npp->half, step, size,
                                 npp->kernel, npp->taps, npp->taps / 2, BORDER_REPLICATE,
                                 npp->context),
                error) &&
         check (npp->filter_column (npp->half, step, size, origin, npp->result, step, size,
                                    npp->kernel, npp->taps, npp->taps / 2, BORDER_REPLICATE,
                                    npp->context),
                error);
}

/* The first sample of a pixel, which may lie beyond the edge. */
static double
get_sample (const Npp *npp, gconstpointer pixels, int x, int y)
{
  gsize i = 4 * ((gsize) CLAMP (y, 0, npp->height - 1) * npp->width + CLAMP (x, 0, npp->width - 1));

  return npp->is_float ? ((const float *) pixels)[i] : ((const guint8 *) pixels)[i];
}

gboolean
npp_check (Npp *npp, Card *card, GError **error)
{
  int radius = npp->taps / 2, x = npp->width / 2, y = npp->height / 2;
  gsize size = get_row_bytes (npp) * npp->height;
  g_autofree guint8 *result = g_malloc (size);
  double want = 0.0, got;

  if (! card_download (card, npp->result, result, size, error))
    return FALSE;
  for (int v = -radius; v <= radius; v++)
    for (int u = -radius; u <= radius; u++)
      want += (double) npp->weights[v + radius] * npp->weights[u + radius] *
              get_sample (npp, npp->pixels, x + u, y + v);
  got = get_sample (npp, result, x, y);
  if (fabs (got - want) <= (npp->is_float ? 1e-4 : 2.0))
    return TRUE;
  g_set_error (error, FX_ERROR, FX_ERROR_DEVICE,
               "NPP made the middle %g, but it should be %g: not measured", got, want);
  return FALSE;
}
