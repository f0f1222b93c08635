/* The curve of a babl colour space, for the engine. */
#ifndef SPACE_H
#define SPACE_H

#include "format.h"

#include <babl/babl.h>

G_BEGIN_DECLS

/* Sets the curve of a format by its space, as fit_set_trc does. Leaves sRGB's curve and returns
 * FALSE if the space has a different one for each channel. */
gboolean space_set_trc (FxFormat *format, const Babl *space);

G_END_DECLS

#endif
