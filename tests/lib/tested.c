#include "tested.h"
#include "memory.h"
#include "run.h"

static struct {
  FxDevice device;
  FxEngine *engine;
} tested;

FxDevice
tested_device (void)
{
  return tested.device;
}

FxEngine *
tested_engine (void)
{
  return tested.engine;
}

/* Removes --device=NAME from the arguments. Returns FALSE if there is none. */
static gboolean
parse_device (int *argc, char **argv)
{
  int n = 1;

  for (int i = 1; i < *argc; i++)
    if (strcmp (argv[i], "--device=cpu") == 0)
      tested.device = FX_DEVICE_CPU;
    else if (strcmp (argv[i], "--device=gpu") == 0)
      tested.device = FX_DEVICE_GPU;
    else
      argv[n++] = argv[i];
  argv[ *argc = n] = NULL;
  return tested.device != FX_DEVICE_AUTO;
}

/* Blurs one pixel on the GPU. Returns FALSE with the reason if there is no GPU. Returns TRUE if
 * there is one that fails, so that its tests fail, too. */
static gboolean
probe_gpu (GError **error)
{
  const BlurParams params = { .sigma_x = 1.0 };
  guint8 pixel = 0, result;
  const Memory memory = { &pixel, &result, 1, 1, { FX_SAMPLE_U8, 1, FALSE } };
  const FxImage image = memory_get_image (&memory);

  g_autoptr (GError) failure = NULL;

  if (run_blur (tested.engine, &params, FX_DEVICE_GPU, &image, NULL, &failure) ||
      ! g_error_matches (failure, FX_ERROR, FX_ERROR_UNAVAILABLE))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

int
tested_main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  int status = 77;

  if (! parse_device (&argc, argv))
    {
      g_printerr ("Usage: %s --device=cpu|gpu [GLib's test options]\n", argv[0]);
      return 2;
    }
  seed_test_init (&argc, &argv);
  tested.engine = fx_engine_new ();
  if (tested.device == FX_DEVICE_GPU && ! probe_gpu (&error))
    g_print ("1..0 # SKIP %s\n", error->message);
  else
    status = g_test_run ();
  fx_engine_free (tested.engine);
  return status;
}
