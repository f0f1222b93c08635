/* The switch of the take-over: which of GEGL's operations the user wants to be ours. */
#pragma once

#include <glib.h>

/* Sets wanted to whether the user wants GEGL's operation of that name to be taken over.
 *
 * CUDA_BLUR_TAKE_OVER says so or, if it is unset or empty, the file cuda-blur-take-over beside this
 * module: "yes" stands for all operations, "no" for none, and names, separated by commas, stand for
 * these. They are GEGL's without "gegl:". An empty file says yes, a missing one no.
 *
 * Returns FALSE with FX_ERROR_ARGUMENT, and no operation is wanted, if the text is none of these.
 * May be called at any time: the file may come and go. */
gboolean take_over_switch_read (const char *name, gboolean *wanted, GError **error);
