/* Reads the colour that an image file declares, keeps it as a profile, and tells the engine. */
#pragma once

#include "format.h"

#include <vips/vips.h>

/* If a PNG, AVIF or HEIC file declares its colour in another way than by a profile that libvips
 * finds, or if gray has a profile for RGB, replaces image by one that has such a profile. loader is
 * that of libvips that made image of the file. Returns FALSE if libvips fails. */
gboolean colour_declare (VipsImage **image, const char *loader, const char *path);

/* Sets the curve of format by the image's profile; without one, it stays. Returns FALSE if the
 * profile has no curve that all channels share: then it is sRGB's. */
gboolean colour_set_curve (VipsImage *image, FxFormat *format);
