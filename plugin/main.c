/* The procedure: its registration, its arguments, its three run modes. */
#include "dialog.h"
#include "render.h"

#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>
#include <locale.h>

#define PROCEDURE "plug-in-cuda-gaussian-blur"

enum {
  ARG_RUN_MODE,
  ARG_IMAGE,
  ARG_DRAWABLE,
  ARG_SIGMA_X,
  ARG_SIGMA_Y,
  ARG_KERNEL_SIZE,
  ARG_ABYSS,
  ARG_LIGHT,
  ARG_GROW,
  ARG_DEVICE,
  N_ARGS,
};

static const RenderSettings default_settings = {
  .params = { .sigma_x = 3.0, .sigma_y = 3.0 },
};

/* Translations. */

/* A folder beside the binary goes first: an installation into a user's profile has no other. */
static char *
get_locale_dir (void)
{
  g_autofree char *binary = g_file_read_link ("/proc/self/exe", NULL);

  if (binary)
    {
      g_autofree char *folder = g_path_get_dirname (binary);
      g_autofree char *beside = g_build_filename (folder, "locale", NULL);

      if (g_file_test (beside, G_FILE_TEST_IS_DIR))
        return g_steal_pointer (&beside);
    }
  return g_strdup (LOCALEDIR);
}

static void
init_translations (void)
{
  g_autofree char *folder = get_locale_dir ();

  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, folder);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
}

/* Registration. */

static void
query (void)
{
  static const GimpParamDef args[N_ARGS] = {
    [ARG_RUN_MODE] = { GIMP_PDB_INT32, "run-mode",
                       "The run mode { RUN-INTERACTIVE (0), RUN-NONINTERACTIVE (1), "
                       "RUN-WITH-LAST-VALS (2) }" },
    [ARG_IMAGE] = { GIMP_PDB_IMAGE, "image", "Input image" },
    [ARG_DRAWABLE] = { GIMP_PDB_DRAWABLE, "drawable", "Layer, layer mask or channel to blur" },
    [ARG_SIGMA_X] = { GIMP_PDB_FLOAT, "sigma-x",
                      "Horizontal standard deviation in pixels (0 <= sigma-x <= 5000, 0 leaves "
                      "this axis alone)" },
    [ARG_SIGMA_Y] = { GIMP_PDB_FLOAT, "sigma-y",
                      "Vertical standard deviation in pixels (0 <= sigma-y <= 5000, 0 leaves this "
                      "axis alone)" },
    [ARG_KERNEL_SIZE] = { GIMP_PDB_INT32, "kernel-size",
                          "Taps of the kernel (odd, 1 <= kernel-size <= 9999, or 0 for as many as "
                          "sigma needs)" },
    [ARG_ABYSS] = { GIMP_PDB_INT32, "abyss",
                    "What lies beyond the edge { CLAMP (0), NONE (1), BLACK (2), WHITE (3) }" },
    [ARG_LIGHT] = { GIMP_PDB_INT32, "light",
                    "Light to average in { LINEAR (0), PERCEPTUAL (1) }; no effect on channels and "
                    "masks" },
    [ARG_GROW] = { GIMP_PDB_INT32, "grow",
                   "Whether a layer with alpha grows by the blur's reach { FALSE (0), TRUE (1) }; "
                   "no effect with a selection" },
    [ARG_DEVICE] = { GIMP_PDB_INT32, "device",
                     "Device to compute on { AUTOMATIC (0), GPU (1), CPU (2) }" },
  };
  g_autofree char *locale_dir = get_locale_dir ();

  gimp_plugin_domain_register (GETTEXT_PACKAGE, locale_dir);
  gimp_install_procedure (PROCEDURE,
                          N_("Blur with a Gaussian on an NVIDIA GPU"),
                          "Convolves the drawable with the sampled, normalised Gaussian, in "
                          "premultiplied alpha, on an NVIDIA GPU through CUDA; without one it "
                          "gives the same pixels on the CPU.",
                          "The gimp-cuda-blur authors", "LGPL-3.0-or-later", "2026",
                          N_("Gaussian Blur (_CUDA)..."), "RGB*, GRAY*", GIMP_PLUGIN,
                          G_N_ELEMENTS (args), 0, args, NULL);
  gimp_plugin_menu_register (PROCEDURE, "<Image>/Filters/Blur");
}

/* Arguments and last values. */

/* GIMP itself passes no more than the first three in the other run modes. */
static gboolean
check_count (GimpRunMode mode, int n_params, GError **error)
{
  if (n_params == N_ARGS || (mode != GIMP_RUN_NONINTERACTIVE && n_params > ARG_DRAWABLE))
    return TRUE;
  g_set_error (error, BLUR_ERROR, BLUR_ERROR_ARGUMENT,
               _("%s was given %d arguments, but must be given %d"), PROCEDURE, n_params, N_ARGS);
  return FALSE;
}

/* A drawable that is none is left to what says so. */
static gboolean
check_image (gint32 image, gint32 drawable, GError **error)
{
  gint32 owner = gimp_item_is_valid (drawable) ? gimp_item_get_image (drawable) : image;

  if (owner == image)
    return TRUE;
  g_set_error (error, BLUR_ERROR, BLUR_ERROR_ARGUMENT,
               _("image is %d, but must be %d, which the drawable belongs to"), image, owner);
  return FALSE;
}

static gboolean
parse_arguments (const GimpParam *param, RenderSettings *settings, GError **error)
{
  int grow = param[ARG_GROW].data.d_int32;

  if (grow != FALSE && grow != TRUE)
    {
      g_set_error (error, BLUR_ERROR, BLUR_ERROR_ARGUMENT,
                   _("grow is %d, but must be 0 (no) or 1 (yes)"), grow);
      return FALSE;
    }
  *settings = (RenderSettings) {
    .params = { .sigma_x = param[ARG_SIGMA_X].data.d_float,
                .sigma_y = param[ARG_SIGMA_Y].data.d_float,
                .kernel_size = param[ARG_KERNEL_SIZE].data.d_int32,
                .abyss = (BlurAbyss) param[ARG_ABYSS].data.d_int32,
                .light = (BlurLight) param[ARG_LIGHT].data.d_int32,
                .device = (BlurDevice) param[ARG_DEVICE].data.d_int32 },
    .grow = grow,
  };
  return blur_params_check (&settings->params, error);
}

/* The values may be those of another version of this plug-in, of the same size by chance. */
static void
get_last_values (RenderSettings *settings)
{
  RenderSettings last;

  *settings = default_settings;
  if (gimp_get_data_size (PROCEDURE) == (int) sizeof last && gimp_get_data (PROCEDURE, &last) &&
      blur_params_check (&last.params, NULL))
    *settings = last;
}

/* Running. */

/* Returns FALSE without an error when the user cancelled. */
static gboolean
blur_interactively (BlurEngine *engine, gint32 drawable, RenderSettings *settings, GError **error)
{
  gint64 start;

  if (! dialog_init (error))
    return FALSE;
  gegl_init (NULL, NULL);
  get_last_values (settings);
  if (! dialog_run (engine, drawable, settings, error))
    return FALSE;
  start = g_get_monotonic_time ();
  gimp_set_data (PROCEDURE, settings, sizeof *settings); /* not to be typed again after a failure */
  return render_blur (engine, drawable, settings, start, error);
}

static gboolean
blur_in_mode (GimpRunMode mode, int n_params, const GimpParam *param, GError **error)
{
  gint64 start = g_get_monotonic_time ();
  g_autoptr (BlurEngine) engine = blur_engine_new ();
  RenderSettings settings;
  gint32 drawable;

  if (! check_count (mode, n_params, error))
    return FALSE;
  drawable = param[ARG_DRAWABLE].data.d_drawable;
  switch (mode)
    {
    case GIMP_RUN_INTERACTIVE:
      return blur_interactively (engine, drawable, &settings, error);

    case GIMP_RUN_NONINTERACTIVE:
      if (! check_image (param[ARG_IMAGE].data.d_image, drawable, error) ||
          ! parse_arguments (param, &settings, error))
        return FALSE;
      break;

    case GIMP_RUN_WITH_LAST_VALS:
      get_last_values (&settings);
      break;

    default:
      g_set_error (error, BLUR_ERROR, BLUR_ERROR_ARGUMENT,
                   _("run-mode is %d, but must be 0 (interactive), 1 (non-interactive) or 2 (with "
                     "last values)"), mode);
      return FALSE;
    }
  gegl_init (NULL, NULL);
  return render_blur (engine, drawable, &settings, start, error);
}

static GimpPDBStatusType
get_status (gboolean done, const GError *error)
{
  if (done)
    return GIMP_PDB_SUCCESS;
  if (! error || g_error_matches (error, BLUR_ERROR, BLUR_ERROR_CANCELLED))
    return GIMP_PDB_CANCEL;
  if (g_error_matches (error, BLUR_ERROR, BLUR_ERROR_ARGUMENT))
    return GIMP_PDB_CALLING_ERROR;
  return GIMP_PDB_EXECUTION_ERROR;
}

static void
run (const gchar *name, gint n_params, const GimpParam *param, gint *n_return_vals,
     GimpParam **return_vals)
{
  static GimpParam values[2];
  static GError *error; /* lives until the next call, as values must */
  GimpRunMode mode = n_params > 0 ? param[ARG_RUN_MODE].data.d_int32 : GIMP_RUN_NONINTERACTIVE;
  gboolean done;

  init_translations ();
  g_clear_error (&error);
  done = blur_in_mode (mode, n_params, param, &error);
  if (mode != GIMP_RUN_NONINTERACTIVE)
    gimp_displays_flush ();
  values[0].type = GIMP_PDB_STATUS;
  values[0].data.d_status = get_status (done, error);
  *n_return_vals = 1;
  *return_vals = values;
  if (! error)
    return;
  values[1].type = GIMP_PDB_STRING;
  values[1].data.d_string = error->message;
  *n_return_vals = 2;
}

const GimpPlugInInfo PLUG_IN_INFO = { NULL, NULL, query, run };

MAIN ()
