/* The format in which the engine takes the pixels of a GEGL buffer. */
#pragma once

#include "format.h"

#include <gegl.h>

typedef struct {
  const Babl *babl; /* the format in which to read and write them */
  FxFormat format;  /* the same format, for the engine */
} Pixels;

typedef struct {
  const Babl *source;  /* the input's format, or NULL */
  gboolean floats;     /* linear floats are required */
  gboolean perceptual; /* for perceptual light: stored values serve, whatever their curve */
  gboolean alpha;      /* an alpha is required: the result is larger than the source */
} PixelsWanted;

/* Sets pixels to the format in which they are stored, with an alpha if that is required, if the
 * engine supports that and floats are not required. Otherwise sets it to linear floats in the same
 * space: grey if the source is, and with alpha if the source has it, it is required, or the source
 * is NULL. */
void pixels_init (Pixels *pixels, const PixelsWanted *wanted);
