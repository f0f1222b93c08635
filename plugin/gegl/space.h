/* A colour space of babl's to the engine. */
#ifndef SPACE_H
#define SPACE_H

#include "format.h"

#include <babl/babl.h>

G_BEGIN_DECLS

typedef enum {
  SPACE_LINEAR,     /* what is stored is linear light */
  SPACE_PARAMETRIC, /* a curve that the engine knows */
  SPACE_OTHER,      /* a table, or one curve a channel */
} SpaceCurve;

/* Through which curve the space stores light; trc is set where it is parametric. */
SpaceCurve space_get_curve (const Babl *space, FxTrc *trc);

G_END_DECLS

#endif
