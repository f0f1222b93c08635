/* Runs identity plans. */
#pragma once

#include "image.h"

/* Copies the pixels of the image's region as they are, without converting them to floats. Returns
 * FALSE with error if there is no memory, or if a callback fails or cancels. */
gboolean fx_copy_image (const FxImage *image, GError **error);
