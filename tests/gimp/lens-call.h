/* The lens blur within GIMP: the procedure's call, and its expected result. */
#pragma once

#include "lens.h"
#include "subject.h"

#define LENS_BLUR "plug-in-cuda-lens-blur"

/* The procedure's arguments after the drawable. */
typedef struct {
  double radius;
  gint blades;
  double rotation, roundness, ring, squeeze, highlights, threshold;
  gint abyss, light, grow, device;
} Lens;

/* Calls the procedure, as subject_blur. lens may be NULL. */
gboolean lens_apply (Subject subject, GimpRunMode mode, const Lens *lens, GimpPDBStatusType *status,
                     char **message);

/* Compares what the procedure has made of before with the engine's result, on the CPU: its bytes,
 * or a GPU's pixels. NULL if there is no problem; free it. */
char *lens_differs (const Raster *after, const Raster *before, gint32 drawable, const Lens *lens);
