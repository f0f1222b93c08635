#include "procedure.h"

#include "error.h"
#include "filter-words.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Arguments. */

/* The arguments of a matrix, in their order. */
enum { MATRIX_ROWS, MATRIX_COLUMNS, MATRIX_COUNT, MATRIX_VALUES, MATRIX_ARGS };

static int
count_property_args (const FilterProperty *property)
{
  return property->type == FILTER_MATRIX ? MATRIX_ARGS : 1;
}

/* Returns the place of the first property's argument. */
static int
get_first (const FilterDescription *filter)
{
  return PROCEDURE_ARG_OTHERS + (filter->map.label != NULL);
}

int
procedure_count_args (const FilterDescription *filter)
{
  int count = get_first (filter);

  for (guint i = 0; i < filter->n_properties; i++)
    count += count_property_args (&filter->properties[i]);
  return count;
}

static GimpPDBArgType
get_type (const FilterProperty *property)
{
  return property->type == FILTER_NUMBER ? GIMP_PDB_FLOAT : GIMP_PDB_INT32;
}

/* Returns text, which is freed, as a text that stays allocated. */
static char *
keep (char *text)
{
  g_autofree char *freed = text;

  return (char *) g_intern_string (freed);
}

/* Returns a text such as "Rows of the matrix (odd, 1 <= rows <= 63)". */
static char *
make_size_blurb (const FilterProperty *property, const char *name, const char *what)
{
  return keep (g_strdup_printf ("%s of the matrix (odd, %g <= %s <= %g)", what, property->minimum,
                                name, property->maximum));
}

static void
describe_property (const FilterProperty *property, GimpParamDef *args)
{
  char *name = (char *) property->name;

  if (property->type != FILTER_MATRIX)
    {
      args[0] = (GimpParamDef) { get_type (property), name,
                                 keep (filter_property_get_blurb (property)) };
      return;
    }
  args[MATRIX_ROWS] = (GimpParamDef) { GIMP_PDB_INT32, "rows",
                                       make_size_blurb (property, "rows", "Rows") };
  args[MATRIX_COLUMNS] = (GimpParamDef) { GIMP_PDB_INT32, "columns",
                                          make_size_blurb (property, "columns", "Columns") };
  args[MATRIX_COUNT] = (GimpParamDef) { GIMP_PDB_INT32, "num-values",
                                        "Number of the values: rows times columns" };
  args[MATRIX_VALUES] = (GimpParamDef) { GIMP_PDB_FLOATARRAY, name,
                                         "Values of the matrix, row by row, which lie on the "
                                         "image as they are written" };
}

/* GIMP's structure has pointers to writable texts, but GIMP does not write to them. */
GimpParamDef *
procedure_get_args (const FilterDescription *filter)
{
  GimpParamDef *args = g_new (GimpParamDef, procedure_count_args (filter));
  GimpParamDef *next = args + get_first (filter);

  args[PROCEDURE_ARG_RUN_MODE] = (GimpParamDef) {
    GIMP_PDB_INT32, "run-mode",
    "The run mode { RUN-INTERACTIVE (0), RUN-NONINTERACTIVE (1), RUN-WITH-LAST-VALS (2) }"
  };
  args[PROCEDURE_ARG_IMAGE] = (GimpParamDef) { GIMP_PDB_IMAGE, "image", "Input image" };
  args[PROCEDURE_ARG_DRAWABLE] = (GimpParamDef) { GIMP_PDB_DRAWABLE, "drawable",
                                                  "Layer, layer mask or channel to filter" };
  if (filter->map.label)
    args[PROCEDURE_ARG_OTHERS] = (GimpParamDef) { GIMP_PDB_DRAWABLE, "map",
                                                  (char *) filter->map.tooltip };
  for (guint i = 0; i < filter->n_properties; i++)
    {
      describe_property (&filter->properties[i], next);
      next += count_property_args (&filter->properties[i]);
    }
  return args;
}

/* In the other run modes GIMP itself passes only the first three. */
static gboolean
procedure_check_count (const FilterDescription *filter, GimpRunMode mode, int n_params,
                       GError **error)
{
  if (n_params == procedure_count_args (filter) ||
      (mode != GIMP_RUN_NONINTERACTIVE && n_params > PROCEDURE_ARG_DRAWABLE))
    return TRUE;
  return fx_refuse (error,
                    g_dngettext (GETTEXT_PACKAGE, "%s was given %d argument, but must be given %d",
                                 "%s was given %d arguments, but must be given %d",
                                 (gulong) n_params),
                    filter->procedure, n_params, procedure_count_args (filter));
}

/* If the drawable is invalid, a later check reports it. */
static gboolean
check_image (gint32 image, gint32 drawable, GError **error)
{
  gint32 owner = gimp_item_is_valid (drawable) ? gimp_item_get_image (drawable) : image;

  if (owner == image)
    return TRUE;
  return fx_refuse (error, _ ("image is %d, but must be %d, which the drawable belongs to"), image,
                    owner);
}

/* GIMP has checked that there are as many values as their number says. */
static gboolean
procedure_parse_matrix (FilterSettings *settings, guint i, const GimpParam *args, GError **error)
{
  g_autoptr (FilterMatrix)
    matrix = filter_matrix_new (args[MATRIX_ROWS].data.d_int32, args[MATRIX_COLUMNS].data.d_int32,
                                args[MATRIX_COUNT].data.d_int32,
                                args[MATRIX_VALUES].data.d_floatarray);

  if (! matrix)
    return fx_set_no_memory (error);
  filter_settings_set_matrix (settings, i, matrix);
  return TRUE;
}

static gboolean
procedure_parse_property (FilterSettings *settings, guint i, const GimpParam *args, GError **error)
{
  const FilterProperty *property = &filter_settings_get_filter (settings)->properties[i];

  if (property->type == FILTER_MATRIX)
    return procedure_parse_matrix (settings, i, args, error);
  if (get_type (property) == GIMP_PDB_FLOAT)
    filter_settings_set (settings, i, args->data.d_float);
  else
    filter_settings_set (settings, i, args->data.d_int32);
  return TRUE;
}

static FilterSettings *
procedure_parse_settings (const FilterDescription *filter, const GimpParam *param, GError **error)
{
  g_autoptr (FilterSettings) settings = filter_settings_new (filter);
  const GimpParam *next = param + get_first (filter);

  for (guint i = 0; i < filter->n_properties; i++)
    {
      if (! procedure_parse_property (settings, i, next, error))
        return NULL;
      next += count_property_args (&filter->properties[i]);
    }
  return filter_settings_check (settings, error) ? g_steal_pointer (&settings) : NULL;
}

/* Reads the last values, which GIMP stores as bytes. Another version of this plug-in may have
 * written them. */

/* Asks for the size and the bytes in one message: another process may replace them at any time. */
static FilterSettings *
get_last_values (const FilterDescription *filter, GError **error)
{
  int n;
  GimpParam *values = gimp_run_procedure ("gimp-procedural-db-get-data", &n, GIMP_PDB_STRING,
                                          filter->procedure, GIMP_PDB_END);
  FilterSettings *last = NULL;
  g_autoptr (GError) problem = NULL;

  if (n == 3 && values[0].data.d_status == GIMP_PDB_SUCCESS)
    last = filter_settings_from_bytes (filter, (const char *) values[2].data.d_int8array,
                                       values[1].data.d_int32, &problem);
  gimp_destroy_params (values, n);
  if (g_error_matches (problem, FX_ERROR, FX_ERROR_MEMORY))
    g_propagate_error (error, g_steal_pointer (&problem));
  else if (! last)
    last = filter_settings_new (filter);
  return last;
}

/* Returns the name under which GIMP has the last map; free it. */
static char *
get_map_name (const FilterDescription *filter)
{
  return g_strconcat (filter->procedure, "-map", NULL);
}

/* Returns the last map, or -1. */
static gint32
get_last_map (const FilterDescription *filter)
{
  g_autofree char *name = get_map_name (filter);
  gint32 map = -1;

  if (filter->map.label && gimp_get_data_size (name) == sizeof map)
    gimp_get_data (name, &map);
  return map;
}

void
procedure_keep (const FilterSettings *settings, gint32 map)
{
  const FilterDescription *filter = filter_settings_get_filter (settings);
  g_autofree char *name = get_map_name (filter);
  gsize length;
  g_autofree char *bytes = filter_settings_to_bytes (settings, &length);

  if (bytes)
    gimp_set_data (filter->procedure, bytes, (guint32) length);
  if (filter->map.label)
    gimp_set_data (name, &map, sizeof map);
}

/* A call. */

FilterSettings *
procedure_parse (const FilterDescription *filter, int n_params, const GimpParam *param,
                 gint32 *drawable, gint32 *map, GError **error)
{
  GimpRunMode mode = n_params > 0 ? param[PROCEDURE_ARG_RUN_MODE].data.d_int32
                                  : GIMP_RUN_NONINTERACTIVE;

  if (! procedure_check_count (filter, mode, n_params, error))
    return NULL;
  *drawable = param[PROCEDURE_ARG_DRAWABLE].data.d_drawable;
  *map = get_last_map (filter);
  switch (mode)
    {
    case GIMP_RUN_NONINTERACTIVE:
      if (! check_image (param[PROCEDURE_ARG_IMAGE].data.d_image, *drawable, error))
        return NULL;
      if (filter->map.label)
        *map = param[PROCEDURE_ARG_OTHERS].data.d_drawable;
      return procedure_parse_settings (filter, param, error);

    case GIMP_RUN_INTERACTIVE:
    case GIMP_RUN_WITH_LAST_VALS:
      return get_last_values (filter, error);

    default:
      fx_refuse (error,
                 _ ("run-mode is %d, but must be 0 (interactive), 1 (non-interactive) or 2 (with "
                    "last values)"),
                 mode);
      return NULL;
    }
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
