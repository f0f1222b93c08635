/* Our engine, over an image that lies in memory. */
#ifndef ENGINE_H
#define ENGINE_H

#include "blur.h"

G_BEGIN_DECLS

/* Blurs width * height pixels of source into result, which has room for as many, with sigma on both
 * axes, the kernel as large as that needs, a clamped edge and linear light. milliseconds may be NULL:
 * the wall clock's. report may be NULL. FALSE with error: result holds nothing of use. */
gboolean engine_blur (BlurEngine *engine, BlurDevice device, const BlurFormat *format, int width,
                      int height, double sigma, gconstpointer source, gpointer result,
                      double *milliseconds, BlurReport *report, GError **error);

G_END_DECLS

#endif
