/* A GIMP plug-in for the tests, never installed: a blur with another hand in it, for
 * test_hand.py. */
#include "apply.h"
#include "clock.h"
#include "filters.h"
#include "wire.h"

#include <fcntl.h>
#include <libgimp/gimp.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* Microseconds: a blur that asks how things are every 20 ms then does so at each tile. */
#define STEP 25000

/* Calls the test through the socket "hand" of the folder CUDA_BLUR_TEST_FOLDER, and waits until it
 * hangs up. */
static void
wait_for_hand (void)
{
  int folder = open (g_getenv ("CUDA_BLUR_TEST_FOLDER"), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  int file = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  char byte;

  /* The folder's own path may be longer than an address. */
  g_snprintf (address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/hand", folder);
  if (connect (file, (struct sockaddr *) &address, sizeof address) != 0 ||
      read (file, &byte, 1) != 0)
    g_error ("there is no other hand");
  close (file);
  close (folder);
}

/* No file of this process gets larger than a few pixels. */
static void
limit_files (void)
{
  const struct rlimit limit = { 4096, 4096 };

  signal (SIGXFSZ, SIG_IGN);
  setrlimit (RLIMIT_FSIZE, &limit);
}

/* A Gaussian blur, with nothing beyond the edge, on the CPU. */
static FilterSettings *
make_settings (gboolean grow)
{
  const double values[] = { 2.0, 2.0, 0, FX_ABYSS_NONE, FX_LIGHT_LINEAR, grow, FX_DEVICE_CPU };
  FilterSettings *settings = filter_settings_new (filters_find ("plug-in-cuda-gaussian-blur"));

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    filter_settings_set (settings, i, values[i]);
  return settings;
}

/* Blurs drawable. Before the message of that number it waits for the other hand; or if it kills, it
 * kills itself instead of sending the message, if it is not 0. If the number is below 0, there is
 * no room for files. Returns what the error says, or nothing. */
static char *
blur (gint32 drawable, gboolean kills, int message, gboolean grow)
{
  g_autoptr (FilterSettings) settings = make_settings (grow);
  g_autoptr (FxEngine) engine = fx_engine_new ();
  g_autoptr (GError) error = NULL;

  clock_step (STEP);
  if (message < 0)
    limit_files ();
  else if (kills)
    wire_kill_at (message);
  else
    wire_call_between (message, wait_for_hand);
  apply_filter (engine, drawable, -1, settings, 0, &error);
  return g_strdup (error ? error->message : "");
}

/* The plug-in */

static void
query (void)
{
  static const GimpParamDef args[] = {
    { GIMP_PDB_INT32, "run-mode", "Non-interactive" },
    { GIMP_PDB_IMAGE, "image", "Its image" },
    { GIMP_PDB_DRAWABLE, "drawable", "The layer" },
    { GIMP_PDB_INT32, "message", "The number of the message" },
    { GIMP_PDB_INT32, "kills", "Whether it kills itself" },
    { GIMP_PDB_INT32, "grow", "Whether the layer grows" },
  };
  static const GimpParamDef values[] = { { GIMP_PDB_STRING, "words", "What the error says" } };

  gimp_install_procedure ("plug-in-cuda-blur-test-hand", "Blurs with another hand in it", "", "",
                          "", "2026", NULL, NULL, GIMP_PLUGIN, G_N_ELEMENTS (args),
                          G_N_ELEMENTS (values), args, values);
  gimp_getpid (); /* waits for an answer, as probe.py does */
}

static void
run (const gchar *name, gint n_params, const GimpParam *params, gint *n_values, GimpParam **values)
{
  static GimpParam results[2] = { { GIMP_PDB_STATUS, { .d_status = GIMP_PDB_SUCCESS } },
                                  { GIMP_PDB_STRING, { .d_string = NULL } } };

  results[1].data.d_string = blur (params[2].data.d_drawable, params[4].data.d_int32,
                                   params[3].data.d_int32, params[5].data.d_int32);
  *values = results;
  *n_values = 2;
}

const GimpPlugInInfo PLUG_IN_INFO = { NULL, NULL, query, run };

MAIN ()
