#include "procedure.h"

#include <glib/gi18n-lib.h>

const GimpParamDef procedure_args[PROCEDURE_ARGS] = {
  [PROCEDURE_ARG_RUN_MODE] = { GIMP_PDB_INT32, "run-mode",
                               "The run mode { RUN-INTERACTIVE (0), RUN-NONINTERACTIVE (1), "
                               "RUN-WITH-LAST-VALS (2) }" },
  [PROCEDURE_ARG_IMAGE] = { GIMP_PDB_IMAGE, "image", "Input image" },
  [PROCEDURE_ARG_DRAWABLE] = { GIMP_PDB_DRAWABLE, "drawable",
                               "Layer, layer mask or channel to blur" },
  [PROCEDURE_ARG_SIGMA_X] = { GIMP_PDB_FLOAT, "sigma-x",
                              "Horizontal standard deviation in pixels (0 <= sigma-x <= 5000, 0 "
                              "leaves this axis alone)" },
  [PROCEDURE_ARG_SIGMA_Y] = { GIMP_PDB_FLOAT, "sigma-y",
                              "Vertical standard deviation in pixels (0 <= sigma-y <= 5000, 0 "
                              "leaves "
                              "this axis alone)" },
  [PROCEDURE_ARG_KERNEL_SIZE] = { GIMP_PDB_INT32, "kernel-size",
                                  "Taps of the kernel (odd, 1 <= kernel-size <= 9999, or 0 for as "
                                  "many "
                                  "as sigma needs)" },
  [PROCEDURE_ARG_ABYSS] = { GIMP_PDB_INT32, "abyss",
                            "What lies beyond the edge { CLAMP (0), NONE (1), BLACK (2), WHITE (3) "
                            "}" },
  [PROCEDURE_ARG_LIGHT] = { GIMP_PDB_INT32, "light",
                            "Light to average in { LINEAR (0), PERCEPTUAL (1) }; no effect on "
                            "channels "
                            "and masks" },
  [PROCEDURE_ARG_GROW] = { GIMP_PDB_INT32, "grow",
                           "Whether a layer with alpha grows by the blur's reach { FALSE (0), TRUE "
                           "(1) }; no effect with a selection" },
  [PROCEDURE_ARG_DEVICE] = { GIMP_PDB_INT32, "device",
                             "Device to compute on { AUTOMATIC (0), GPU (1), CPU (2) }" },
};

const RenderSettings procedure_default_settings = {
  .params = { .sigma_x = 3.0, .sigma_y = 3.0 },
};

/* GIMP itself passes no more than the first three in the other run modes. */
static gboolean
check_count (GimpRunMode mode, int n_params, GError **error)
{
  if (n_params == PROCEDURE_ARGS ||
      (mode != GIMP_RUN_NONINTERACTIVE && n_params > PROCEDURE_ARG_DRAWABLE))
    return TRUE;
  g_set_error (error, FX_ERROR, FX_ERROR_ARGUMENT,
               _("%s was given %d arguments, but must be given %d"), PROCEDURE_NAME, n_params,
               PROCEDURE_ARGS);
  return FALSE;
}

/* A drawable that is none is left to what says so. */
static gboolean
check_image (gint32 image, gint32 drawable, GError **error)
{
  gint32 owner = gimp_item_is_valid (drawable) ? gimp_item_get_image (drawable) : image;

  if (owner == image)
    return TRUE;
  g_set_error (error, FX_ERROR, FX_ERROR_ARGUMENT,
               _("image is %d, but must be %d, which the drawable belongs to"), image, owner);
  return FALSE;
}

static gboolean
parse_settings (const GimpParam *param, RenderSettings *settings, GError **error)
{
  int grow = param[PROCEDURE_ARG_GROW].data.d_int32;

  if (grow != FALSE && grow != TRUE)
    {
      g_set_error (error, FX_ERROR, FX_ERROR_ARGUMENT,
                   _("grow is %d, but must be 0 (no) or 1 (yes)"), grow);
      return FALSE;
    }
  *settings = (RenderSettings) {
    .params = { .sigma_x = param[PROCEDURE_ARG_SIGMA_X].data.d_float,
                .sigma_y = param[PROCEDURE_ARG_SIGMA_Y].data.d_float,
                .kernel_size = param[PROCEDURE_ARG_KERNEL_SIZE].data.d_int32,
                .abyss = (FxAbyss) param[PROCEDURE_ARG_ABYSS].data.d_int32,
                .light = (FxLight) param[PROCEDURE_ARG_LIGHT].data.d_int32,
                .device = (FxDevice) param[PROCEDURE_ARG_DEVICE].data.d_int32 },
    .grow = grow,
  };
  return blur_params_check (&settings->params, error);
}

/* The values may be those of another version of this plug-in, of the same size by chance. */
static void
get_last_values (RenderSettings *settings)
{
  RenderSettings last;

  *settings = procedure_default_settings;
  if (gimp_get_data_size (PROCEDURE_NAME) == (int) sizeof last &&
      gimp_get_data (PROCEDURE_NAME, &last) && blur_params_check (&last.params, NULL))
    *settings = last;
}

void
procedure_keep (const RenderSettings *settings)
{
  gimp_set_data (PROCEDURE_NAME, settings, sizeof *settings);
}

gboolean
procedure_parse (int n_params, const GimpParam *param, gint32 *drawable, RenderSettings *settings,
                 GError **error)
{
  GimpRunMode mode = n_params > 0 ? param[PROCEDURE_ARG_RUN_MODE].data.d_int32
                                  : GIMP_RUN_NONINTERACTIVE;

  if (! check_count (mode, n_params, error))
    return FALSE;
  *drawable = param[PROCEDURE_ARG_DRAWABLE].data.d_drawable;
  switch (mode)
    {
    case GIMP_RUN_NONINTERACTIVE:
      return check_image (param[PROCEDURE_ARG_IMAGE].data.d_image, *drawable, error) &&
             parse_settings (param, settings, error);

    case GIMP_RUN_INTERACTIVE:
    case GIMP_RUN_WITH_LAST_VALS:
      get_last_values (settings);
      return TRUE;

    default:
      g_set_error (error, FX_ERROR, FX_ERROR_ARGUMENT,
                   _("run-mode is %d, but must be 0 (interactive), 1 (non-interactive) or 2 (with "
                     "last values)"),
                   mode);
      return FALSE;
    }
}

void
procedure_pack (gint32 drawable, const RenderSettings *settings, GimpParam *params)
{
  const BlurParams *blur = &settings->params;
  int i;

  for (i = 0; i < PROCEDURE_ARGS; i++)
    params[i].type = procedure_args[i].type;
  params[PROCEDURE_ARG_RUN_MODE].data.d_int32 = GIMP_RUN_NONINTERACTIVE;
  params[PROCEDURE_ARG_IMAGE].data.d_image = gimp_item_get_image (drawable);
  params[PROCEDURE_ARG_DRAWABLE].data.d_drawable = drawable;
  params[PROCEDURE_ARG_SIGMA_X].data.d_float = blur->sigma_x;
  params[PROCEDURE_ARG_SIGMA_Y].data.d_float = blur->sigma_y;
  params[PROCEDURE_ARG_KERNEL_SIZE].data.d_int32 = blur->kernel_size;
  params[PROCEDURE_ARG_ABYSS].data.d_int32 = blur->abyss;
  params[PROCEDURE_ARG_LIGHT].data.d_int32 = blur->light;
  params[PROCEDURE_ARG_GROW].data.d_int32 = settings->grow;
  params[PROCEDURE_ARG_DEVICE].data.d_int32 = blur->device;
}

static GimpPDBStatusType
get_status (gboolean done, const GError *error)
{
  if (done)
    return GIMP_PDB_SUCCESS;
  if (! error || g_error_matches (error, FX_ERROR, FX_ERROR_CANCELLED))
    return GIMP_PDB_CANCEL;
  if (g_error_matches (error, FX_ERROR, FX_ERROR_ARGUMENT))
    return GIMP_PDB_CALLING_ERROR;
  return GIMP_PDB_EXECUTION_ERROR;
}

int
procedure_return (gboolean done, const GError *error, GimpParam *values)
{
  values[0].type = GIMP_PDB_STATUS;
  values[0].data.d_status = get_status (done, error);
  if (! error)
    return 1;
  values[1].type = GIMP_PDB_STRING;
  values[1].data.d_string = error->message;
  return 2;
}
