/* One case of the contract of blur.h: a picture, and the blur to apply to it. A case that fails is
 * printed with its seed, as dav1d's checkasm does. */
#pragma once

#include "blur.h"
#include "engine.h"

typedef enum {
  IMAGE_RANDOM,
  IMAGE_ZERO,
  IMAGE_MAX,
  IMAGE_EDGE, /* a hard corner of white on black */
  IMAGE_DOTS, /* single bright pixels on black */
  IMAGE_CHECKER,
  IMAGE_HOLES,      /* alpha 0 with colour in it, next to opaque pixels */
  IMAGE_FAINT,      /* alpha 0 or as little as 8-bit, 16-bit or 32-bit can say */
  IMAGE_DARK_EDGE,  /* nearly black next to white: the curve magnifies errors 12.9 times */
  IMAGE_FAINT_EDGE, /* the same, and the dark side has alpha 9/255: another 28 times */
  IMAGE_HDR,        /* this and the next one only for floating-point samples: values of -2 to 16 */
  IMAGE_HDR_EDGE,   /* nearly black next to 16, which is 688 in linear light */
  IMAGE_SUBNORMAL,
  IMAGE_KINDS,
} ImageKind;

typedef struct {
  guint32 seed;
  ImageKind kind;
  FxFormat format;
  int width, height;
  FxRect region; /* all 0: the whole image */
  BlurParams params;
  FxDevice device;
} Case;

/* One format of each sample, with and without alpha, curve and colour. */
typedef struct {
  FxFormat format;
  FxLight light;
} CaseFormat;

#define CASE_FORMATS 9
extern const CaseFormat case_formats[CASE_FORMATS];

extern const char *const case_sample_names[];

/* Case number n of a table, in a format of case_formats, on the device under test: the seed is its
 * own, and abyss and image take turns. */
Case case_make (guint n, guint format, int width, int height, double sigma_x, double sigma_y);

FxRect case_get_region (const Case *c);

/* Returns whether the blur must leave all bytes as they are. */
gboolean case_is_identity (const Case *c);

gboolean case_is_integer (FxSample sample);

/* Fails the test, and says of which case. */
void case_fail (const Case *c, const char *format, ...) G_GNUC_PRINTF (2, 3);
