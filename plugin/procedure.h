/* The procedure's face to GIMP: its name, its arguments, its last values, what it returns. */
#ifndef PROCEDURE_H
#define PROCEDURE_H

#include "render.h"

#include <libgimp/gimp.h>

G_BEGIN_DECLS

#define PROCEDURE_NAME "plug-in-cuda-gaussian-blur"

/* Of the menu; it also names the undo step. */
#define PROCEDURE_LABEL N_("Gaussian Blur (_CUDA)...")

enum {
  PROCEDURE_ARG_RUN_MODE,
  PROCEDURE_ARG_IMAGE,
  PROCEDURE_ARG_DRAWABLE,
  PROCEDURE_ARG_SIGMA_X,
  PROCEDURE_ARG_SIGMA_Y,
  PROCEDURE_ARG_KERNEL_SIZE,
  PROCEDURE_ARG_ABYSS,
  PROCEDURE_ARG_LIGHT,
  PROCEDURE_ARG_GROW,
  PROCEDURE_ARG_DEVICE,
  PROCEDURE_ARGS
};

extern const GimpParamDef procedure_args[PROCEDURE_ARGS];

/* What the dialog begins with at first, and after Reset. */
extern const RenderSettings procedure_default_settings;

/* Reads what a call was given: its drawable, and its settings or, where the run mode says so and in
 * interactive mode, the last ones. FALSE with error if something is missing or out of range. */
gboolean procedure_parse (int n_params, const GimpParam *param, gint32 *drawable,
                          RenderSettings *settings, GError **error);

/* The arguments of a non-interactive call; params: PROCEDURE_ARGS of them. */
void procedure_pack (gint32 drawable, const RenderSettings *settings, GimpParam *params);

/* Keeps settings as the last ones, until GIMP ends. */
void procedure_keep (const RenderSettings *settings);

/* What a call returns: its status and, where it failed, what error says, which must stay there for
 * as long as values. values: two of them. done: whether it did its work. Returns how many are set.
 */
int procedure_return (gboolean done, const GError *error, GimpParam *values);

G_END_DECLS

#endif
