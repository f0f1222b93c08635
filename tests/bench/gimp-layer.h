/* The layers that the benchmark's calls run on. */
#pragma once

#include <libgimp/gimp.h>

typedef struct {
  gint32 image, drawable;
  int width, height;
  const char *format; /* u8: 8-bit gamma; float: float linear. Not a copy. */
} Layer;

/* Makes an image of one RGBA layer: smooth colours, noise on top and some transparency. To be
 * deleted with gimp_image_delete. Needs no GEGL; gimp_plugin_enable_precision must have been
 * called. */
Layer layer_new (int width, int height, const char *format);
