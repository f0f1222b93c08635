/* A filter's procedure, its face to GIMP: its arguments, its last values, what it returns. */
#ifndef PROCEDURE_H
#define PROCEDURE_H

#include "filter.h"

#include <libgimp/gimp.h>

G_BEGIN_DECLS

#define PROCEDURE_AUTHORS "The gimp-cuda-blur authors"
#define PROCEDURE_LICENSE "LGPL-3.0-or-later"
#define PROCEDURE_YEAR    "2026"
#define PROCEDURE_TYPES   "RGB*, GRAY*" /* of images */

/* The arguments; after these come those of the filter's properties: one of each, but of a matrix
 * its rows, its columns, the number of its values, and these. */
enum {
  PROCEDURE_ARG_RUN_MODE,
  PROCEDURE_ARG_IMAGE,
  PROCEDURE_ARG_DRAWABLE,
  PROCEDURE_ARG_PROPERTIES
};

int procedure_count_args (const Filter *filter);

/* What GIMP is to be told of them, procedure_count_args of them; free it. */
GimpParamDef *procedure_get_args (const Filter *filter);

/* Reads what a call was given: its drawable, and its settings or, where the run mode says so and in
 * interactive mode, the last ones; free them. NULL with error if something is missing or out of
 * range. */
FilterSettings *procedure_parse (const Filter *filter, int n_params, const GimpParam *param,
                                 gint32 *drawable, GError **error);

/* The arguments of a non-interactive call, procedure_count_args of them; free it. What they point
 * to is the settings'. */
GimpParam *procedure_pack (gint32 drawable, const FilterSettings *settings);

/* Keeps settings as the filter's last ones, until GIMP ends. */
void procedure_keep (const FilterSettings *settings);

/* What a call returns: its status and, where it failed, what error says, which must stay
 * there for as long as values. values: two of them. done: whether it did its work. Returns
 * how many are set. */
int procedure_return (gboolean done, const GError *error, GimpParam *values);

G_END_DECLS

#endif
