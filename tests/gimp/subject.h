/* The subjects of the tests inside GIMP: images and layers with pixels of the tests' choice, read
 * and written in the drawable's own format, and the call of the blur. */
#pragma once

#include <libgimp/gimp.h>

#include "filters.h"
#include "raster.h"

#define PROCEDURE "plug-in-cuda-gaussian-blur"

/* One of the twelve precisions of GIMP 2.10. */
typedef struct {
  GimpPrecision precision;
  FxSample sample;
  gboolean gamma;
  const char *name;
} Precision;

#define N_PRECISIONS 12
extern const Precision precisions[N_PRECISIONS];

/* The procedure's arguments after the drawable. */
typedef struct {
  double sigma_x, sigma_y;
  gint kernel_size, abyss, light, grow, device;
} Args;

typedef struct {
  gint32 image, drawable;
} Subject;

/* An image of one layer of that size, its pixels drawn from rand. type is one of GIMP_RGB_IMAGE,
 * GIMP_RGBA_IMAGE, GIMP_GRAY_IMAGE, GIMP_GRAYA_IMAGE. Delete it with gimp_image_delete. */
Subject subject_new (GimpPrecision precision, GimpImageType type, int width, int height,
                     GRand *rand);

/* New pixels for any drawable, drawn from rand. */
void subject_fill (gint32 drawable, GRand *rand);

/* The drawable's pixels as they are stored; free with raster_free. */
Raster *subject_read (gint32 drawable);

/* Replaces them; the raster must have the drawable's format and size. */
void subject_write (gint32 drawable, const Raster *raster);

/* args as settings of the procedure's filter. */
FilterSettings *subject_settings (const Args *args);

/* Calls the blur. Returns FALSE with GIMP's words in message, to be freed with g_free. */
gboolean subject_blur (Subject subject, const Args *args, char **message);
