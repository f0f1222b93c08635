/* The blur engine: a Gaussian blur of a two-dimensional image, on an NVIDIA GPU or on the CPU.
 *
 * With preview.h the public header of this folder. They need GLib and nothing of GIMP.
 *
 * Result: the image convolved with the sampled, normalised Gaussian
 *     w[k] = exp(-k^2 / (2 sigma^2)) / sum_j exp(-j^2 / (2 sigma^2))
 * along x and along y, in premultiplied alpha, in the light that BlurParams names. Error against
 * that convolution in double precision, out to 6 sigma (on GPU and CPU alike):
 *     8-bit          at most 1 level, 99% of the samples equal
 *     16-bit         at most 2 levels, half of the samples equal
 *     half           1 ulp, or 1e-5 of the range where that is larger
 *     float, double, 32-bit   1e-5 of the range
 * where the range is the largest source magnitude, at least 1. Colour is held to it where alpha is
 * at least 8/255; below that, colour times alpha is. Arithmetic is single precision: magnitudes
 * over 3.4e38 overflow to infinity. An infinity in the image reaches no further than 9 sigma along
 * each axis, and what it reaches is infinite, of its sign; NaN counts as infinities of both signs,
 * and where both meet the result is one of them: no NaN comes out. Under an alpha of 0 colour is
 * nothing, whatever it says. sRGB's curve goes on in a straight line below 0. Where it or the
 * alpha magnifies what a 16 times overexposed pixel sheds 6 sigma away, the bound is that of the
 * reference's own cut.
 *
 * Threads: an engine serves one thread at a time; two engines are independent. Callbacks run on the
 * thread that called fx_engine_run, while the blur goes on on another.
 */
#ifndef BLUR_H
#define BLUR_H

#include <glib.h>

G_BEGIN_DECLS

#define BLUR_SIGMA_MAX       5000.0     /* pixels */
#define BLUR_KERNEL_SIZE_MAX 9999       /* taps */
#define FX_BAND_BYTES        (16 << 20) /* of a band of rows at a time */
#define FX_SIZE_MAX          (1 << 30)  /* pixels, of an image's width and height */

/* How one sample is stored, in the machine's byte order. Integers map 0 to their largest value
 * onto 0 to 1. */
typedef enum {
  FX_SAMPLE_U8,
  FX_SAMPLE_U16,
  FX_SAMPLE_U32,
  FX_SAMPLE_HALF, /* IEEE 754 binary16 */
  FX_SAMPLE_FLOAT,
  FX_SAMPLE_DOUBLE,
} FxSample;

/* Pixels are interleaved samples. An even number of channels has straight (not premultiplied) alpha
 * as its last one, which is always linear. */
typedef struct {
  FxSample sample;
  int channels;   /* 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA */
  gboolean gamma; /* colour samples are stored through sRGB's curve, else linear */
} FxFormat;

/* What the image holds beyond its edge; GEGL's name and GEGL's order. */
typedef enum {
  FX_ABYSS_CLAMP, /* the nearest pixel of the image */
  FX_ABYSS_NONE,  /* transparent; black where there is no alpha */
  FX_ABYSS_BLACK, /* opaque black */
  FX_ABYSS_WHITE, /* opaque white */
} FxAbyss;

/* The light in which pixels are averaged, by sRGB's curve (IEC 61966-2-1) whatever the colour
 * space. Coverage (a mask, a channel) knows no light: pass it as a linear format in
 * FX_LIGHT_LINEAR. */
typedef enum {
  FX_LIGHT_LINEAR,
  FX_LIGHT_PERCEPTUAL,
} FxLight;

typedef enum {
  FX_DEVICE_AUTO, /* the environment's CUDA_BLUR_DEVICE (auto, gpu, cpu), else what is done sooner:
                       the GPU or, for few pixels or while the GPU is not open, the CPU; and the CPU
                       where the GPU fails */
  FX_DEVICE_GPU,  /* the GPU or an error */
  FX_DEVICE_CPU,
} FxDevice;

typedef struct {
  /* Standard deviations in pixels, 0 to BLUR_SIGMA_MAX. Below 0.2 an axis is left alone. */
  double sigma_x, sigma_y;
  int kernel_size; /* taps on each blurred axis, odd, 1 to BLUR_KERNEL_SIZE_MAX: the Gaussian cut to
                      that size and normalised again; 0: as large as sigma needs */
  FxAbyss abyss;
  FxLight light;
  FxDevice device;
} BlurParams;

/* Pixels x to x + width - 1, y to y + height - 1 of an image whose first pixel is 0, 0. */
typedef struct {
  int x, y, width, height;
} FxRect;

/* Fills pixels with the image's rect, which lies within the image; rows are stride bytes apart.
 * Returns FALSE with error set to stop the blur. */
typedef gboolean (*FxReadFunc) (gpointer data, const FxRect *rect, gpointer pixels, gsize stride,
                                GError **error);

/* Takes the blurred pixels of rect, which lies within the region asked for. */
typedef gboolean (*FxWriteFunc) (gpointer data, const FxRect *rect, gconstpointer pixels,
                                 gsize stride, GError **error);

/* fraction: 0 to 1. Returns FALSE to cancel. */
typedef gboolean (*FxProgressFunc) (gpointer data, double fraction);

/* An image is streamed: read is asked for bands of it, from the top down, and write is given bands
 * of the region in the same order; bands start at rows that are multiples of a power of two, of 128
 * where so many rows take no more than FX_BAND_BYTES and memory allows. When a device fails midway
 * the blur starts over on another, so that read and write may see the same rectangles again; what
 * was written counts only once fx_engine_run has returned TRUE. */
typedef struct {
  FxFormat format;
  int width, height; /* of the whole image, 1 to FX_SIZE_MAX */
  FxRect region; /* the part to compute, not empty, within the image; what lies around it is read
                      as far as the kernel reaches */
  FxReadFunc read;
  FxWriteFunc write;
  FxProgressFunc progress; /* may be NULL */
  gpointer data;           /* passed to all three */
} FxImage;

/* What a run did. */
typedef struct {
  FxDevice device;      /* FX_DEVICE_GPU or FX_DEVICE_CPU, never AUTO */
  char device_name[96]; /* "NVIDIA H100 80GB HBM3", "CPU, 16 threads" */
  char fallback[512];  /* why the GPU did not do it, a sentence; empty if it did or was not asked */
  double milliseconds; /* wall clock, the callbacks included */
} FxReport;

typedef enum {
  FX_ERROR_ARGUMENT,    /* the message names the argument, its value and what is allowed */
  FX_ERROR_CANCELLED,   /* progress returned FALSE */
  FX_ERROR_UNAVAILABLE, /* no GPU, or no driver, or no NVRTC for it: the message says which */
  FX_ERROR_MEMORY,      /* host or device memory ran out */
  FX_ERROR_DEVICE,      /* CUDA or NVRTC failed: the message has its words */
} FxError;

#define FX_ERROR (fx_error_quark ())
GQuark fx_error_quark (void);

typedef struct FxEngine FxEngine;

/* Makes an engine. Costs next to nothing: the GPU is opened by the first run that wants it.
 * Never NULL; free it with fx_engine_free. */
FxEngine *fx_engine_new (void);

/* Says that many runs will come: where the CPU does one because the GPU is not open, or has to
 * compile first, that is done on the side, for the next. */
void fx_engine_set_lasting (FxEngine *engine);

/* Gives back everything the engine holds, device memory included. NULL is legal. */
void fx_engine_free (FxEngine *engine);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FxEngine, fx_engine_free)

/* Checks params without running anything: FALSE and FX_ERROR_ARGUMENT if one is out of range, NaN
 * or infinite. */
gboolean blur_params_check (const BlurParams *params, GError **error);

/* Whether params leave every pixel as it is (both axes alone, or a kernel of one tap). */
gboolean blur_params_is_identity (const BlurParams *params);

/* How many pixels the blur reaches on each side, per axis, for a layer that is to grow with it:
 * (kernel_size - 1) / 2, or ceil(4 sigma); 0 for an axis left alone. params must pass the check. */
void blur_params_get_growth (const BlurParams *params, int *x, int *y);

/* Bytes of one sample; bytes of one pixel. */
gsize fx_sample_size (FxSample sample);
gsize fx_format_size (const FxFormat *format);

/* Blurs image->region. Returns TRUE when every pixel of it was written; with identical params the
 * pixels are written as they were read, by no device. On FALSE error is set, to one of FX_ERROR or
 * to what a callback set. report may be NULL; it is filled on TRUE only. */
gboolean fx_engine_run (FxEngine *engine, const BlurParams *params, const FxImage *image,
                        FxReport *report, GError **error);

G_END_DECLS

#endif
