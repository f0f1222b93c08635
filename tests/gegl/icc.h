/* Colour profiles with a curve of one's own. */
#ifndef ICC_H
#define ICC_H

#include <gegl.h>

G_BEGIN_DECLS

/* A space with sRGB's primaries and a curve of n samples, 0 to 65535, from stored 0 to 1. */
const Babl *icc_make_space (const guint16 *table, guint n);

G_END_DECLS

#endif
