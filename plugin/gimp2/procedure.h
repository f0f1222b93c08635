/* A filter's procedure in GIMP's PDB: its arguments, its last values, and what it returns. */
#pragma once

#include "filter.h"

#include <libgimp/gimp.h>

/* The first arguments. The map follows, if the filter takes one, a drawable, and those of the
 * filter's properties: one for each property, but four for a matrix: its rows, its columns, the
 * number of its values, and the values. */
enum { PROCEDURE_ARG_RUN_MODE, PROCEDURE_ARG_IMAGE, PROCEDURE_ARG_DRAWABLE, PROCEDURE_ARG_OTHERS };

int procedure_count_args (const FilterDescription *filter);

/* Returns the arguments' definitions for GIMP, procedure_count_args of them. Free the array with
 * g_free; the texts in it stay. */
GimpParamDef *procedure_get_args (const FilterDescription *filter);

/* Reads a call's arguments. Sets drawable and map, which may not exist, and returns the call's
 * settings; free them. map is -1 if the filter takes none. In the interactive mode, and if the run
 * mode asks for the last values, these are the last settings, or the initial ones if there are
 * none. Returns NULL with FX_ERROR_ARGUMENT if an argument is missing or out of range; drawable is
 * then undefined. */
FilterSettings *procedure_parse (const FilterDescription *filter, int n_params,
                                 const GimpParam *param, gint32 *drawable, gint32 *map,
                                 GError **error);

/* Stores settings and the map as the filter's last values, which GIMP holds until it ends. */
void procedure_keep (const FilterSettings *settings, gint32 map);

/* Fills values, which has room for two, with what a call returns, and returns how many are set.
 * done is whether the call did its work. error may be NULL; FALSE without an error means that the
 * user cancelled. values points into error, which must outlive it. */
int procedure_return (gboolean done, const GError *error, GimpParam *values);
