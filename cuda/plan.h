/* From parameters to arithmetic: pure functions, no device, no I/O. */
#ifndef BLUR_PLAN_H
#define BLUR_PLAN_H

#include "blur.h"

G_BEGIN_DECLS

/* Below this an axis is left alone: the first neighbour would weigh less than 4e-6. */
#define BLUR_SIGMA_MIN 0.2

/* What is applied to colour on the way in; its inverse is applied on the way out. */
typedef enum {
  BLUR_CURVE_NONE,
  BLUR_CURVE_TO_LINEAR,     /* gamma samples, blurred in linear light */
  BLUR_CURVE_TO_PERCEPTUAL, /* linear samples, blurred in perceptual light */
} BlurCurve;

/* The FIR of one axis: 2 radius + 1 taps. */
typedef struct {
  double sigma;
  int radius;     /* 0: the axis is left alone */
  float *weights; /* radius + 1 of them from the centre outwards; the whole kernel sums to 1 */
} BlurAxis;

typedef struct {
  BlurFormat format;
  BlurCurve curve;
  BlurAbyss abyss;
  BlurAxis x, y;
  float beyond[4]; /* the premultiplied pixel beyond the edge; unused with BLUR_ABYSS_CLAMP */
} BlurPlan;

/* params must have passed blur_params_check. Never NULL; free with blur_plan_free (NULL is legal). */
BlurPlan *blur_plan_new (const BlurParams *params, const BlurFormat *format);
void blur_plan_free (BlurPlan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BlurPlan, blur_plan_free)

/* How a region is cut into strips of columns, done one after the other, and those into chunks of
 * rows. Each source row of a strip is filtered along x once into a ring of rows, from which the rows
 * of the result are filtered along y. */
typedef struct {
  int strip_width; /* columns of the region a strip, the last may have fewer */
  int chunk_rows;  /* a power of two; chunks start at its multiples, so that they meet tile edges */
  int ring_rows;   /* rows the ring holds */
  gsize bytes;     /* what a strip takes: ring, one chunk of source, one of result */
} BlurLayout;

/* The layout that takes at most limit bytes, with as few strips as that allows; where none is that
 * small, the smallest. */
BlurLayout blur_plan_get_layout (const BlurPlan *plan, const BlurImage *image, gsize limit);

/* Floats between the rows of the ring, for a strip of width columns: room for whole vectors. */
gsize blur_plan_get_pitch (int width);

/* One strip: its columns of the region, x0 to x1 - 1, and the source columns that they need,
 * source_x0 to source_x1 - 1; width and height are the whole image's. */
typedef struct {
  int width, height;
  int x0, x1;
  int source_x0, source_x1;
  int chunk_rows, ring_rows;
} BlurStrip;

/* The strip whose first column is x0. */
BlurStrip blur_plan_get_strip (const BlurPlan *plan, const BlurImage *image,
                               const BlurLayout *layout, int x0);

G_END_DECLS

#endif
