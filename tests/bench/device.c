/* bench-device: the engine on the GPU, what it is made of, and its peers, by the device's own
 * clock.
 *
 * Without a GPU it measures what needs none: NVRTC's compile times, the cache, the naive
 * blur on the CPU. Figures as bench_print has them; lines that start with # say what they
 * were measured on. */
#include "machine.h"

typedef struct {
  char *size, *sigmas;
  int repeats, seconds, arch;
} Options;

static gboolean
parse (int *argc, char ***argv, Options *options, GError **error)
{
  const GOptionEntry entries[] = {
    { "size", 0, 0, G_OPTION_ARG_STRING, &options->size, "Of the picture", "WxH" },
    { "sigmas", 0, 0, G_OPTION_ARG_STRING, &options->sigmas, "Ascending", "S,..." },
    { "repeats", 0, 0, G_OPTION_ARG_INT, &options->repeats, "Timed runs a figure", "N" },
    { "seconds", 0, 0, G_OPTION_ARG_INT, &options->seconds, "Then begin nothing new", "N" },
    { "arch", 0, 0, G_OPTION_ARG_INT, &options->arch,
      "Without a GPU: compile for this compute capability, 90 for 9.0", "N" },
    { NULL }
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);

  *options = (Options) {
    .size = "3840x2160", .sigmas = "0.5,1.5,3,6,8,10,50,200,1000", .repeats = 31, .arch = 90
  };
  g_option_context_set_summary (context, "Measures the engine on the GPU.");
  g_option_context_add_main_entries (context, entries, NULL);
  if (! g_option_context_parse (context, argc, argv, error))
    return FALSE;
  options->repeats = MAX (options->repeats, 1);
  return TRUE;
}

/* NVRTC for the GPU, or the reason why there is none. */
static void
open_compiler (Machine *machine, int arch)
{
  g_autoptr (GError) error = NULL;
  const int *archs;
  int n;

  machine->compiler = fx_compiler_open (machine->card ? machine->card->driver_major : 0, &error);
  if (machine->compiler)
    {
      archs = fx_compiler_get_archs (machine->compiler, &n);
      if (! fx_target_choose (archs, n, fx_compiler_get_version (machine->compiler),
                              machine->card ? machine->card->arch : arch, FALSE, &machine->target,
                              &error))
        g_clear_pointer (&machine->compiler, fx_compiler_close);
    }
  g_print ("# NVRTC: %s\n",
           machine->compiler ? fx_compiler_get_version (machine->compiler) : error->message);
}

static FxGpu *
open_gpu (GError **error)
{
  g_auto (FxConfig) config = { 0 };

  return fx_config_init (&config, FX_DEVICE_GPU, error) ? fx_gpu_open (&config, error) : NULL;
}

/* No GPU is nothing to fail for. */
static gboolean
open_machine (Machine *machine, const Options *options, GError **error)
{
  g_autoptr (GError) failure = NULL;

  machine->repeats = options->repeats;
  machine->gpu = open_gpu (&failure);
  g_print ("# GPU: %s\n", machine->gpu ? fx_gpu_get_name (machine->gpu) : failure->message);
  if (machine->gpu && ! (machine->card = card_open (error)))
    return FALSE;
  open_compiler (machine, options->arch);
  return TRUE;
}

static void
close_machine (Machine *machine)
{
  card_close (machine->card); /* before the GPU, whose context is its current one */
  fx_gpu_close (machine->gpu);
  fx_compiler_close (machine->compiler);
}

static gboolean
measure (const Options *options, GError **error)
{
  g_autofree double *sigmas = NULL;
  Machine machine = { 0 };
  int width, height, n;
  gboolean done;

  if (! bench_parse_size (options->size, &width, &height, error) ||
      ! (sigmas = bench_parse_numbers (options->sigmas, &n, error)))
    return FALSE;
  done = open_machine (&machine, options, error) && sizes_measure (&machine, error) &&
         (! machine.compiler || programs_measure (&machine, error)) &&
         (! machine.card || sweep_measure (&machine, width, height, sigmas, n, error));
  close_machine (&machine);
  return done;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  Options options;

  /* A load of PTX shall be the driver's compiler at work, not a look into its cache, and no load
   * shall be put off until the first launch. */
  g_setenv ("CUDA_CACHE_DISABLE", "1", TRUE);
  g_setenv ("CUDA_MODULE_LOADING", "EAGER", TRUE);
  if (! parse (&argc, &argv, &options, &error))
    {
      g_printerr ("bench-device: %s\n", error->message);
      return 2;
    }
  bench_set_seconds (options.seconds);
  if (measure (&options, &error))
    return EXIT_SUCCESS;
  g_printerr ("bench-device: %s\n", error->message);
  return EXIT_FAILURE;
}
