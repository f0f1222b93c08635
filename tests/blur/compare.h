/* Compares a result with the reference. */
#pragma once

#include "case.h"

#define COMPARE_ALPHA_MIN (8.0 / 255.0) /* below that, colour is compared times alpha */

/* As a share of the range of linear light: the permitted error of light before it is divided by
 * alpha and goes through a curve other than sRGB's. */
#define COMPARE_LIGHT 0x1p-24

/* As a share of the light itself: the same through a table, which may be steep at bright light. */
#define COMPARE_TABLE 0x1p-20

typedef struct {
  double worst; /* error over bound, NaN counts as infinite */
  gsize place;  /* sample */
  double expected, got;
  gsize compared, equal; /* samples, but for colours at low alpha */
} Verdict;

/* Compares one sample of c's image, number i; value: what it should be, unrounded. alpha: the
 * pixel's by the reference and as the engine has it, else 1. */
void compare_sample (Verdict *v, const Case *c, gsize i, double value, double got, double alpha,
                     double got_alpha, double range);

/* Compares the region of c with the unrounded values that it should have. range is the largest
 * magnitude in the source. */
Verdict compare_values (const Case *c, const double *expected, gconstpointer result, double range);

/* Compares it with the blur of source. */
Verdict compare (const Case *c, gconstpointer source, gconstpointer result);

/* All samples of c's image. Free them with g_free. */
double *case_decode (const Case *c, gconstpointer samples);

/* The largest magnitude among them, at least 1. */
double case_get_range (const Case *c, const double *source);
