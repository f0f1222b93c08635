/* How the engine takes the pixels of a GEGL buffer. */
#ifndef PIXELS_H
#define PIXELS_H

#include "format.h"

#include <gegl.h>

G_BEGIN_DECLS

typedef struct {
  const Babl *babl; /* as they are to be read and written */
  FxFormat format;  /* the same to the engine */
} Pixels;

typedef struct {
  const Babl *source;  /* of what comes in, or NULL */
  gboolean floats;     /* they are to be in linear floats */
  gboolean perceptual; /* the light that they are for: what is stored is that already, whatever its
                          curve */
} PixelsWanted;

/* As they are stored, where the engine knows that and floats are not wanted; else in linear floats,
 * with alpha as they have, in their space. */
void pixels_init (Pixels *pixels, const PixelsWanted *wanted);

G_END_DECLS

#endif
