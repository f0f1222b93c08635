/* What GIMP 3 can filter. */
#pragma once

#include <libgimp/gimp.h>

typedef enum {
  TARGET_ERROR_REFUSED, /* the drawable cannot be filtered; the message says why */
  TARGET_ERROR_GIMP,    /* GIMP refused a call; the message is GIMP's, or says what is missing */
} TargetError;

#define TARGET_ERROR (target_error_quark ())
GQuark target_error_quark (void);

/* Checks that drawable is one of image's that can be filtered, as an effect or for good. Returns
 * FALSE with TARGET_ERROR_REFUSED, one sentence, if not. */
gboolean target_check (GimpDrawable *drawable, GimpImage *image, gboolean as_effect,
                       GError **error);

/* Returns whether drawable is still a part of image, and image still open. */
gboolean target_is_there (GimpDrawable *drawable, GimpImage *image);

/* Sets selected to whether the selection has a part of drawable, or there is none. Returns FALSE
 * with TARGET_ERROR_GIMP if the drawable is in no image. */
gboolean target_get_selected (GimpDrawable *drawable, gboolean *selected, GError **error);

/* Returns FALSE with TARGET_ERROR_GIMP if the last call of GIMP's procedures failed. */
gboolean target_check_call (GError **error);

/* Returns whether drawable can be enlarged: it must be a layer with alpha, with neither alpha nor
 * the position locked, in an image without a selection. */
gboolean target_can_grow (GimpDrawable *drawable);
