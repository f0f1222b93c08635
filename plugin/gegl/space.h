/* The curve of a babl colour space, for the engine. */
#ifndef SPACE_H
#define SPACE_H

#include "format.h"

#include <babl/babl.h>

G_BEGIN_DECLS

typedef enum {
  SPACE_LINEAR,     /* linear light is stored */
  SPACE_PARAMETRIC, /* a curve that the engine supports */
  SPACE_OTHER,      /* a table, or a different curve for each channel */
} SpaceCurve;

/* Returns the kind of curve through which space stores light. If it is parametric, sets trc to its
 * parameters, or to zeros for sRGB's curve; otherwise trc is undefined. */
SpaceCurve space_get_curve (const Babl *space, FxTrc *trc);

G_END_DECLS

#endif
