/* Rows of stored samples <-> planes of floats, as a filter works on them, on the CPU.
 * gpu/kernels/pixel.cuh does the same on the GPU. */
#ifndef FX_CODEC_H
#define FX_CODEC_H

#include "format.h"

G_BEGIN_DECLS

/* The light in which pixels are averaged, by the format's curve. Coverage (a mask, a channel) knows
 * no light: pass it as a linear format in FX_LIGHT_LINEAR. */
typedef enum {
  FX_LIGHT_LINEAR,
  FX_LIGHT_PERCEPTUAL,
} FxLight;

/* What is applied to colour on the way in, by the format's trc; its inverse is applied on the way
 * out. */
typedef enum {
  FX_CURVE_NONE,
  FX_CURVE_TO_LINEAR,     /* gamma samples, in linear light */
  FX_CURVE_TO_PERCEPTUAL, /* linear samples, in perceptual light */
} FxCurve;

/* How the planes' colour counts. */
typedef enum {
  FX_ALPHA_PREMULTIPLIED, /* multiplied by alpha: what is transparent sheds no colour */
  FX_ALPHA_STRAIGHT,      /* as it is stored, under whatever alpha */
} FxAlpha;

typedef struct {
  FxFormat format;
  FxCurve curve;
  FxAlpha alpha;
} FxCodec;

/* Of an image that is stored in format, for a filter that works in light, premultiplied. */
FxCodec fx_codec_new (const FxFormat *format, FxLight light);

/* How many times as large an error in the planes' colour can be in what is stored, alpha left
 * aside. Infinite for floating point through a pure gamma, which has no end to its slope at black;
 * of integers the first level ends it. */
double fx_codec_get_magnification (const FxCodec *codec);

/* Reads n pixels into planes, one a channel. */
void fx_codec_decode (const FxCodec *codec, const void *pixels, int n, float *const *planes);

/* The inverse, rounding to the nearest; integers are clamped to their range. Uses planes as scratch
 * space. */
void fx_codec_encode (const FxCodec *codec, float *const *planes, int n, void *pixels);

G_END_DECLS

#endif
