/* The layers that the tests inside GIMP change: their pixels as they are stored, and settings of
 * the Gaussian blur for them. */
#pragma once

#include <libgimp/gimp.h>

#include "filters.h"

#define PROCEDURE "plug-in-cuda-gaussian-blur"

typedef struct {
  gint32 image, drawable;
} Subject;

/* Of any drawable. */
typedef struct {
  int width, height;
  gsize bytes;
  gpointer data;
} Pixels;

void pixels_read (Pixels *pixels, gint32 drawable);
void pixels_write (const Pixels *pixels, gint32 drawable);
void pixels_clear (Pixels *pixels);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Pixels, pixels_clear)

/* With nothing beyond the edge, on the CPU. */
FilterSettings *subject_settings (double sigma_x, double sigma_y, gboolean grow);
