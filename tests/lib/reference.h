/* The blur of blur.h in double precision, straight from its definition and with no code of the
 * engine's: slow, and what the engine is measured by.
 *
 * Values are samples mapped as FxSample says: integers onto 0 to 1, the others as they are. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include "blur.h"
#include "engine.h"

G_BEGIN_DECLS

/* The i-th of an array of samples; and its opposite, rounded to nearest, ties to even, integers
 * clamped. */
double reference_decode (FxSample sample, gconstpointer samples, gsize i);
void reference_encode (FxSample sample, double value, gpointer samples, gsize i);

/* sRGB's curve: of stored value to light, and back. Its straight part goes on below 0. */
double reference_to_linear (double value);
double reference_to_gamma (double light);

/* The same of any curve. */
double reference_trc_to_linear (const FxTrc *trc, double value);
double reference_trc_to_gamma (const FxTrc *trc, double light);

/* From stored colour to that of the light, and back. */
double reference_into_light (const FxFormat *format, FxLight light, double value);
double reference_out_of_light (const FxFormat *format, FxLight light, double value);

/* How far the kernel reaches along an axis, in pixels: 6 sigma, or half of kernel_size. */
int reference_radius (double sigma, int kernel_size);

/* Blurs an image of width x height pixels of format. Returns region's values, unrounded; free them
 * with g_free. Separable: one axis after the other. */
double *reference_blur (const BlurParams *params, const FxFormat *format, int width, int height,
                        const FxRect *region, const double *source);

/* The same, without separating the axes: for tiny images and sigmas, to check the other. */
double *reference_blur_2d (const BlurParams *params, const FxFormat *format, int width, int height,
                           const FxRect *region, const double *source);

G_END_DECLS

#endif
