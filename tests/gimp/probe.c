/* A GIMP plug-in for the tests, never installed: it is a batch interpreter, so that GIMP runs the
 * tests without Script-Fu: gimp --batch-interpreter=plug-in-cuda-blur-test -b remote */
#include "probe.h"

#include <string.h>

#include "mailbox.h"
#include "remote.h"

#define PROBE "plug-in-cuda-blur-test"

static void
query (void)
{
  static const GimpParamDef args[] = {
    { GIMP_PDB_INT32, "run-mode", "Non-interactive" },
    { GIMP_PDB_STRING, "what", "remote" },
  };
  static const GimpParamDef victim_args[] = {
    { GIMP_PDB_INT32, "run-mode", "Non-interactive" },
    { GIMP_PDB_IMAGE, "image", "Its image" },
    { GIMP_PDB_DRAWABLE, "drawable", "The layer" },
    { GIMP_PDB_INT32, "message", "The number of the message" },
  };
  static const GimpParamDef hand_args[] = {
    { GIMP_PDB_INT32, "run-mode", "Non-interactive" },
    { GIMP_PDB_IMAGE, "image", "Its image" },
    { GIMP_PDB_DRAWABLE, "drawable", "The layer" },
    { GIMP_PDB_INT32, "kills", "Whether it kills itself" },
    { GIMP_PDB_INT32, "message", "The number of the message" },
    { GIMP_PDB_INT32, "grow", "Whether the layer grows" },
  };
  static const GimpParamDef hand_values[] = {
    { GIMP_PDB_STRING, "words", "What the error says" },
  };
  static const GimpParamDef browser_args[] = { { GIMP_PDB_STRING, "url", "What to show" } };

  gimp_install_procedure (PROBE, "Tests plug-in-cuda-gaussian-blur", "Not for users.", "", "",
                          "2025", NULL, NULL, GIMP_PLUGIN, G_N_ELEMENTS (args), 0, args, NULL);
  gimp_install_procedure (VICTIM, "Dies with a canvas", "Not for users.", "", "", "2026", NULL,
                          NULL, GIMP_PLUGIN, G_N_ELEMENTS (victim_args), 0, victim_args, NULL);
  gimp_install_procedure (HAND, "Blurs with another hand in it", "Not for users.", "", "", "2026",
                          NULL, NULL, GIMP_PLUGIN, G_N_ELEMENTS (hand_args),
                          G_N_ELEMENTS (hand_values), hand_args, hand_values);
  gimp_install_procedure (HELPER_CALLER, "Calls beside " PROBE, "Not for users.", "", "", "2026",
                          NULL, NULL, GIMP_EXTENSION, 0, 0, NULL, NULL);
  gimp_install_procedure (HELPER_STARTER, "Starts the resident process again", "Not for users.", "",
                          "", "2026", NULL, NULL, GIMP_EXTENSION, 0, 0, NULL, NULL);
  gimp_install_procedure (BROWSER, "Notes what it is to show", "Not for users.", "", "", "2026",
                          NULL, NULL, GIMP_PLUGIN, G_N_ELEMENTS (browser_args), 0, browser_args,
                          NULL);
  /* If this process has ended before GIMP, on a busy machine, looks whether it started, GIMP says
   * that it did not. So it waits for an answer, which GIMP gives after that. */
  gimp_getpid ();
}

static void
browse (const char *address)
{
  const char *folder = g_getenv ("CUDA_BLUR_TEST_FOLDER");

  if (folder)
    mailbox_put (folder, BROWSED, address);
}

static void
quit_gimp (void)
{
  gint n_values;
  GimpParam *values = gimp_run_procedure ("gimp-quit", &n_values, GIMP_PDB_INT32, TRUE,
                                          GIMP_PDB_END);

  gimp_destroy_params (values, n_values);
}

static void
run (const gchar *name, gint n_params, const GimpParam *params, gint *n_values, GimpParam **values)
{
  static GimpParam results[2] = { { GIMP_PDB_STATUS, { .d_status = GIMP_PDB_SUCCESS } } };

  *n_values = 1;
  *values = results;
  if (g_str_has_prefix (name, "extension-"))
    {
      gimp_extension_ack ();
      remote_run (name);
      return;
    }
  if (strcmp (name, VICTIM) == 0)
    {
      victim_run (params[2].data.d_drawable, params[3].data.d_int32);
      return;
    }
  if (strcmp (name, HAND) == 0)
    {
      *n_values = hand_run (params[2].data.d_drawable, params[3].data.d_int32,
                            params[4].data.d_int32, params[5].data.d_int32, results);
      return;
    }
  if (strcmp (name, BROWSER) == 0)
    {
      browse (params[0].data.d_string);
      return;
    }
  gegl_init (NULL, NULL);
  remote_run ("main");
  quit_gimp ();
  gegl_exit ();
}

const GimpPlugInInfo PLUG_IN_INFO = { NULL, NULL, query, run };

MAIN ()
