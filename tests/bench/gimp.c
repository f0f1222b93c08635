/* Measures calls of procedures within a session of the real GIMP; tests/bench.sh runs it.
 *
 * A test-only plug-in. plug-in-cuda-blur-bench is the driver: it times each call from the caller's
 * side, which is what a user waits for. gimp-copy.c is the floor, the same call with a copy in
 * place of the blur. The driver itself needs no GEGL.
 *
 * Every repetition calls all contestants on the same layer, in another order, so that a drift of
 * the machine's speed falls on all of them alike.
 *
 * The environment says what to measure (gimp.sh sets all of it):
 *   BENCH_OUT      file for the figures, added to, a line for each timed call, tab-separated: part,
 *                  what, width, height, format, sigma, the device asked for, the one that did it,
 *                  repetition, milliseconds. host-memory is in KiB, gpu-memory in MiB.
 *   BENCH_PART     the figures' first column
 *   BENCH_SIZES    1920x1080,3840x2160
 *   BENCH_FORMATS  u8,float
 *   BENCH_SIGMAS   2,10
 *   BENCH_WHO      contestants: raw, gegl, gauss, blur-auto, blur-gpu, blur-cpu
 *   BENCH_REPEATS  timed calls of each, after one that is not timed
 *   BENCH_COLD     1: without the one that is not timed
 *   BENCH_SETTLE   before all else every blur to come runs on a small layer; then so many seconds
 *                  pass, in which the plug-in may compile what it wants in the background
 *   BENCH_MEMORY   the plug-in's memory is read after 20 calls, and whenever so many are done
 *   BENCH_SECONDS  after that long nothing new is begun; 0: no limit
 *   BENCH_LOG      where the plug-in's trace goes
 *   BENCH_PLUGIN   the plug-in's executable */
#include "gimp-copy.h"
#include "gimp-layer.h"
#include "gimp-watch.h"

#include <stdlib.h>
#include <string.h>

#define BENCH "plug-in-cuda-blur-bench"
#define BLUR  "plug-in-cuda-gaussian-blur"
#define GAUSS "plug-in-gauss"

/* GIMP 2.10 maps plug-in-gauss's radius r to GEGL's std-dev 0.32 r, so that sigma needs this
 * radius. (The older formula sqrt (-r^2 / (2 ln (1/255))) = 0.3004 r no longer holds: an impulse
 * blurred with radius 60 comes out with a standard deviation of 18.8.) */
#define GAUSS_RADIUS(sigma) ((sigma) / 0.32)
#define GAUSS_RADIUS_MAX    500.0

typedef struct {
  char **sizes, **formats, **sigmas, **who;
  const char *part, *log, *plugin;
  int repeats, settle, memory;
  gboolean cold;
  gint64 deadline; /* monotonic, 0: none */
  FILE *out;
} Bench;

/* Calls. */

/* The device that a contestant asks for: auto, gpu or cpu; NULL if it is no blur. */
static const char *
get_device (const char *who)
{
  return g_str_has_prefix (who, "blur-") ? who + strlen ("blur-") : NULL;
}

static GimpParam *
call_blur (const Layer *layer, double sigma, const char *name, int *n)
{
  int device = strcmp (name, "auto") == 0 ? 0 : strcmp (name, "gpu") == 0 ? 1 : 2;

  return gimp_run_procedure (BLUR, n, GIMP_PDB_INT32, GIMP_RUN_NONINTERACTIVE, GIMP_PDB_IMAGE,
                             layer->image, GIMP_PDB_DRAWABLE, layer->drawable, GIMP_PDB_FLOAT,
                             sigma, GIMP_PDB_FLOAT, sigma, GIMP_PDB_INT32, 0, GIMP_PDB_INT32, 0,
                             GIMP_PDB_INT32, 0, GIMP_PDB_INT32, 0, GIMP_PDB_INT32, device,
                             GIMP_PDB_END);
}

static GimpParam *
call_gauss (const Layer *layer, double sigma, int *n)
{
  return gimp_run_procedure (GAUSS, n, GIMP_PDB_INT32, GIMP_RUN_NONINTERACTIVE, GIMP_PDB_IMAGE,
                             layer->image, GIMP_PDB_DRAWABLE, layer->drawable, GIMP_PDB_FLOAT,
                             GAUSS_RADIUS (sigma), GIMP_PDB_FLOAT, GAUSS_RADIUS (sigma),
                             GIMP_PDB_INT32, 0, GIMP_PDB_END);
}

static GimpParam *
call_copy (const char *name, const Layer *layer, int *n)
{
  return gimp_run_procedure (name, n, GIMP_PDB_INT32, GIMP_RUN_NONINTERACTIVE, GIMP_PDB_IMAGE,
                             layer->image, GIMP_PDB_DRAWABLE, layer->drawable, GIMP_PDB_END);
}

/* Returns the milliseconds that the caller waited; stops the benchmark if the call failed. */
static double
call (const char *who, const Layer *layer, double sigma)
{
  gint64 start = g_get_monotonic_time ();
  GimpParam *values;
  double ms;
  int n;

  if (get_device (who))
    values = call_blur (layer, sigma, get_device (who), &n);
  else if (strcmp (who, "gauss") == 0)
    values = call_gauss (layer, sigma, &n);
  else
    values = call_copy (strcmp (who, "raw") == 0 ? COPY_RAW : COPY_GEGL, layer, &n);
  ms = (g_get_monotonic_time () - start) / 1000.0;
  if (! values || values[0].data.d_status != GIMP_PDB_SUCCESS)
    {
      fprintf (stderr, "bench: %s failed: %s\n", who, gimp_get_pdb_error ());
      exit (1);
    }
  gimp_destroy_params (values, n);
  return ms;
}

/* Figures. */

static gboolean
is_late (const Bench *bench)
{
  return bench->deadline > 0 && g_get_monotonic_time () > bench->deadline;
}

static void
print_figure (const Bench *bench, const char *what, const Layer *layer, const char *sigma,
              const char *device, const char *used, int repetition, double value)
{
  fprintf (bench->out, "%s\t%s\t%d\t%d\t%s\t%s\t%s\t%s\t%d\t%.3f\n", bench->part, what,
           layer->width, layer->height, layer->format, sigma, device, used, repetition, value);
}

static void
measure_call (const Bench *bench, const Layer *layer, const char *sigma, const char *who,
              int repetition)
{
  double ms = call (who, layer, g_ascii_strtod (sigma, NULL));

  if (get_device (who))
    print_figure (bench, "blur", layer, sigma, get_device (who), watch_device (bench->log),
                  repetition, ms);
  else
    print_figure (bench, who, layer, sigma, "-", "cpu", repetition, ms);
}

static void
measure_memory (const Bench *bench, const Layer *layer, const char *sigma, const char *device,
                int calls)
{
  if (bench->memory == 0 || (calls != 20 && calls % bench->memory != 0))
    return;
  print_figure (bench, "host-memory", layer, sigma, device, "-", calls,
                watch_host_memory (bench->plugin));
  print_figure (bench, "gpu-memory", layer, sigma, device, "-", calls, watch_gpu_memory ());
}

/* Another order each time, so that no contestant always comes after the same one. */
static void
shuffle (GPtrArray *who, GRand *rand)
{
  for (guint i = who->len; i > 1; i--)
    {
      guint other = (guint) g_rand_int_range (rand, 0, (gint32) i);
      gpointer moved = who->pdata[other];

      who->pdata[other] = who->pdata[i - 1];
      who->pdata[i - 1] = moved;
    }
}

static void
measure_sigma (const Bench *bench, const Layer *layer, const char *sigma)
{
  gboolean has_gauss = GAUSS_RADIUS (g_ascii_strtod (sigma, NULL)) <= GAUSS_RADIUS_MAX;
  GPtrArray *who = g_ptr_array_new ();
  GRand *rand = g_rand_new_with_seed (1);
  int r;

  for (int i = 0; bench->who[i]; i++)
    if (has_gauss || strcmp (bench->who[i], "gauss") != 0)
      g_ptr_array_add (who, bench->who[i]);
  for (guint i = 0; i < who->len && ! bench->cold; i++)
    call (who->pdata[i], layer, g_ascii_strtod (sigma, NULL));
  watch_device (bench->log); /* what the trace said up to here is of no use */
  for (r = 0; r < bench->repeats && ! (r > 0 && is_late (bench)); r++)
    {
      shuffle (who, rand);
      for (guint i = 0; i < who->len; i++)
        measure_call (bench, layer, sigma, who->pdata[i], r + 1);
      measure_memory (bench, layer, sigma, get_device (bench->who[0]), r + 1);
    }
  fflush (bench->out); /* what was measured stays, whatever comes next */
  if (r < bench->repeats)
    fprintf (stderr, "bench: only %d times, no time: %s %dx%d %s sigma %s\n", r, bench->part,
             layer->width, layer->height, layer->format, sigma);
  g_ptr_array_free (who, TRUE);
  g_rand_free (rand);
}

static void
measure_layer (const Bench *bench, const Layer *layer)
{
  for (int i = 0; bench->sigmas[i]; i++)
    if (! is_late (bench))
      measure_sigma (bench, layer, bench->sigmas[i]);
    else
      fprintf (stderr, "bench: left out, no time: %s %dx%d %s sigma %s\n", bench->part,
               layer->width, layer->height, layer->format, bench->sigmas[i]);
}

static void
measure (const Bench *bench)
{
  for (int s = 0; bench->sizes[s]; s++)
    for (int f = 0; bench->formats[f]; f++)
      {
        int width, height;
        Layer layer;

        if (sscanf (bench->sizes[s], "%dx%d", &width, &height) != 2)
          exit (1);
        layer = layer_new (width, height, bench->formats[f]);
        measure_layer (bench, &layer);
        gimp_image_delete (layer.image);
      }
}

/* Twice, as the plug-in may wait for a second call before it compiles for one sigma. */
static void
settle (const Bench *bench)
{
  for (int f = 0; bench->formats[f]; f++)
    {
      Layer layer = layer_new (256, 256, bench->formats[f]);

      for (int s = 0; bench->sigmas[s]; s++)
        for (int i = 0; bench->who[i]; i++)
          for (int n = 0; n < 2 && get_device (bench->who[i]); n++)
            call (bench->who[i], &layer, g_ascii_strtod (bench->sigmas[s], NULL));
      gimp_image_delete (layer.image);
    }
  g_usleep (bench->settle * G_USEC_PER_SEC);
}

/* The plug-in. */

static char **
get_list (const char *name)
{
  const char *value = g_getenv (name);

  return g_strsplit (value ? value : "", ",", -1);
}

static int
get_number (const char *name)
{
  const char *value = g_getenv (name);

  return value ? atoi (value) : 0;
}

static void
run_bench (void)
{
  Bench bench = { .sizes = get_list ("BENCH_SIZES"),
                  .formats = get_list ("BENCH_FORMATS"),
                  .sigmas = get_list ("BENCH_SIGMAS"),
                  .who = get_list ("BENCH_WHO"),
                  .part = g_getenv ("BENCH_PART"),
                  .log = g_getenv ("BENCH_LOG"),
                  .plugin = g_getenv ("BENCH_PLUGIN"),
                  .repeats = get_number ("BENCH_REPEATS"),
                  .settle = get_number ("BENCH_SETTLE"),
                  .memory = get_number ("BENCH_MEMORY"),
                  .cold = get_number ("BENCH_COLD") };

  if (get_number ("BENCH_SECONDS") > 0)
    bench.deadline = g_get_monotonic_time () + get_number ("BENCH_SECONDS") * G_TIME_SPAN_SECOND;
  bench.out = fopen (g_getenv ("BENCH_OUT"), "a");
  if (! bench.out)
    exit (1);
  gimp_plugin_enable_precision ();
  if (bench.settle > 0)
    settle (&bench);
  measure (&bench);
  fclose (bench.out);
}

static void
query (void)
{
  static const GimpParamDef args[] = { { GIMP_PDB_INT32, "run-mode", "Non-interactive" } };

  gimp_install_procedure (BENCH, "Measures the blur", "", "", "", "", NULL, NULL, GIMP_PLUGIN, 1, 0,
                          args, NULL);
  copy_query ();
}

static void
run (const gchar *name, gint n_params, const GimpParam *param, gint *n_return_vals,
     GimpParam **return_vals)
{
  static GimpParam status = { .type = GIMP_PDB_STATUS };

  status.data.d_status = GIMP_PDB_SUCCESS;
  *n_return_vals = 1;
  *return_vals = &status;
  if (! copy_run (name, param, &status.data.d_status))
    run_bench ();
}

const GimpPlugInInfo PLUG_IN_INFO = { NULL, NULL, query, run };

MAIN ()
