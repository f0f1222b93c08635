#include "procedure.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Arguments. */

int
procedure_count_args (const Filter *filter)
{
  return PROCEDURE_ARG_PROPERTIES + (int) filter->n_properties;
}

static GimpPDBArgType
get_type (const FilterProperty *property)
{
  return property->type == FILTER_NUMBER ? GIMP_PDB_FLOAT : GIMP_PDB_INT32;
}

/* GIMP's structure wants texts that can be written to, but writes to none. */
GimpParamDef *
procedure_get_args (const Filter *filter)
{
  GimpParamDef *args = g_new (GimpParamDef, procedure_count_args (filter));
  guint i;

  args[PROCEDURE_ARG_RUN_MODE] = (GimpParamDef) {
    GIMP_PDB_INT32, "run-mode",
    "The run mode { RUN-INTERACTIVE (0), RUN-NONINTERACTIVE (1), RUN-WITH-LAST-VALS (2) }"
  };
  args[PROCEDURE_ARG_IMAGE] = (GimpParamDef) { GIMP_PDB_IMAGE, "image", "Input image" };
  args[PROCEDURE_ARG_DRAWABLE] = (GimpParamDef) { GIMP_PDB_DRAWABLE, "drawable",
                                                  (char *) filter->drawable_blurb };
  for (i = 0; i < filter->n_properties; i++)
    args[PROCEDURE_ARG_PROPERTIES + i] = (GimpParamDef) { get_type (&filter->properties[i]),
                                                          (char *) filter->properties[i].name,
                                                          (char *) filter->properties[i].blurb };
  return args;
}

/* GIMP itself passes no more than the first three in the other run modes. */
static gboolean
check_count (const Filter *filter, GimpRunMode mode, int n_params, GError **error)
{
  if (n_params == procedure_count_args (filter) ||
      (mode != GIMP_RUN_NONINTERACTIVE && n_params > PROCEDURE_ARG_DRAWABLE))
    return TRUE;
  g_set_error (error, FX_ERROR, FX_ERROR_ARGUMENT,
               _("%s was given %d arguments, but must be given %d"), filter->procedure, n_params,
               procedure_count_args (filter));
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

static FilterSettings *
parse_settings (const Filter *filter, const GimpParam *param, GError **error)
{
  g_autoptr (FilterSettings) settings = filter_settings_new (filter);
  guint i;

  for (i = 0; i < filter->n_properties; i++)
    {
      const GimpParam *value = &param[PROCEDURE_ARG_PROPERTIES + i];

      filter_settings_set (settings, i,
                           get_type (&filter->properties[i]) == GIMP_PDB_FLOAT
                             ? value->data.d_float
                             : value->data.d_int32);
    }
  return filter_settings_check (settings, error) ? g_steal_pointer (&settings) : NULL;
}

/* Last values, which GIMP keeps as bytes. They may be those of another version of this plug-in. */

static FilterSettings *
get_last_values (const Filter *filter)
{
  int size = gimp_get_data_size (filter->procedure);
  g_autofree char *text = g_malloc0 (MAX (size, 0) + 1);
  FilterSettings *last = NULL;

  if (size > 0 && gimp_get_data (filter->procedure, text))
    last = filter_settings_from_text (filter, text, size);
  return last ? last : filter_settings_new (filter);
}

void
procedure_keep (const FilterSettings *settings)
{
  g_autofree char *text = filter_settings_to_text (settings);

  gimp_set_data (filter_settings_get_filter (settings)->procedure, text, strlen (text));
}

/* A call. */

FilterSettings *
procedure_parse (const Filter *filter, int n_params, const GimpParam *param, gint32 *drawable,
                 GError **error)
{
  GimpRunMode mode = n_params > 0 ? param[PROCEDURE_ARG_RUN_MODE].data.d_int32
                                  : GIMP_RUN_NONINTERACTIVE;

  if (! check_count (filter, mode, n_params, error))
    return NULL;
  *drawable = param[PROCEDURE_ARG_DRAWABLE].data.d_drawable;
  switch (mode)
    {
    case GIMP_RUN_NONINTERACTIVE:
      if (! check_image (param[PROCEDURE_ARG_IMAGE].data.d_image, *drawable, error))
        return NULL;
      return parse_settings (filter, param, error);

    case GIMP_RUN_INTERACTIVE:
    case GIMP_RUN_WITH_LAST_VALS:
      return get_last_values (filter);

    default:
      g_set_error (error, FX_ERROR, FX_ERROR_ARGUMENT,
                   _("run-mode is %d, but must be 0 (interactive), 1 (non-interactive) or 2 (with "
                     "last values)"),
                   mode);
      return NULL;
    }
}

GimpParam *
procedure_pack (gint32 drawable, const FilterSettings *settings)
{
  const Filter *filter = filter_settings_get_filter (settings);
  GimpParam *params = g_new (GimpParam, procedure_count_args (filter));
  guint i;

  params[PROCEDURE_ARG_RUN_MODE] = (GimpParam) { GIMP_PDB_INT32,
                                                 { .d_int32 = GIMP_RUN_NONINTERACTIVE } };
  params[PROCEDURE_ARG_IMAGE] = (GimpParam) { GIMP_PDB_IMAGE,
                                              { .d_image = gimp_item_get_image (drawable) } };
  params[PROCEDURE_ARG_DRAWABLE] = (GimpParam) { GIMP_PDB_DRAWABLE, { .d_drawable = drawable } };
  for (i = 0; i < filter->n_properties; i++)
    {
      GimpParam *param = &params[PROCEDURE_ARG_PROPERTIES + i];
      double value = filter_settings_get (settings, i);

      param->type = get_type (&filter->properties[i]);
      if (param->type == GIMP_PDB_FLOAT)
        param->data.d_float = value;
      else
        param->data.d_int32 = (gint32) value;
    }
  return params;
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
