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

/* source: the format of what comes in, or NULL. As it is stored, where the engine knows that and
 * floats are not asked for, else in linear floats, with alpha as it has, in its space. */
void pixels_init (Pixels *pixels, const Babl *source, gboolean floats);

G_END_DECLS

#endif
