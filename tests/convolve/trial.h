/* One convolution of a picture, by the engine and, in double precision, straight from the
 * definition in convolve.h, with no code of the engine's. */
#pragma once

#include "convolve-plan.h"
#include "correlation.h"
#include "engine.h"

typedef enum {
  PICTURE_NOISE,
  PICTURE_EDGE,  /* nearly black next to white */
  PICTURE_HOLES, /* alpha 0 with colour in it, next to opaque pixels */
  PICTURE_FLAT,
  PICTURE_HDR, /* only for floating-point samples: values of -2 to 16 */
  PICTURES,
} Picture;

typedef struct {
  guint32 seed; /* of the picture */
  Picture picture;
  FxFormat format;
  int width, height;
  FxRect region; /* all 0: the whole image */
  ConvolveParams params;
  FxDevice device;
  ConvolveChoice choice; /* all 0: the cheapest */
  int band_rows;         /* as FxImage has them */
} Trial;

FxRect trial_get_region (const Trial *trial);

/* The samples of the picture, always the same; free them with g_free. */
gpointer trial_make_picture (const Trial *trial);

/* Returns the permitted ranges of the region's samples. Free them with g_free. */
Correlation *trial_expect (const Trial *trial, gconstpointer source);

/* Runs it on a picture; result: of the region, rows without padding. FALSE: it has failed, and so
 * has the test. */
gboolean trial_run (const Trial *trial, gconstpointer source, gpointer result);

/* Returns whether a sample is as near as the contract wants; range: of the picture times the
 * matrix's magnitude. */
gboolean trial_is_right (const Trial *trial, const Correlation *expected, double got, double range);
double trial_get_range (const Trial *trial, gconstpointer source);

/* Runs it, holds it to the contract, and fails the test if it does not meet that. */
void trial_check (const Trial *trial);

/* Fails the test, and says of which trial. */
void trial_fail (const Trial *trial, const char *format, ...) G_GNUC_PRINTF (2, 3);
