/* From parameters to arithmetic: pure functions, no device, no I/O. */
#ifndef BLUR_PLAN_H
#define BLUR_PLAN_H

#include "blur.h"

G_BEGIN_DECLS

/* Below this an axis is left alone: the first neighbour would weigh less than 4e-6. */
#define BLUR_SIGMA_MIN 0.2

/* No pixel reaches further along an axis, in sigmas: there it weighs 3e-18 of what it does where it
 * is, but as infinity all the same. */
#define BLUR_REACH_MAX 9.0

/* What is applied to colour on the way in; its inverse is applied on the way out. */
typedef enum {
  FX_CURVE_NONE,
  FX_CURVE_TO_LINEAR,     /* gamma samples, blurred in linear light */
  FX_CURVE_TO_PERCEPTUAL, /* linear samples, blurred in perceptual light */
} FxCurve;

#define BLUR_ORDER      8 /* of the B-splines that decimate and interpolate */
#define BLUR_FACTOR_MAX 8
#define BLUR_STAGES_MAX 4

/* One stage of the multi-resolution method: cell n of a coarser grid lies at sample n * factor of
 * the finer one, in the coordinates of the whole image. */
typedef struct {
  int factor;         /* 2 to BLUR_FACTOR_MAX */
  int radius;         /* of decimate: BLUR_ORDER / 2 * (factor - 1) */
  float *decimate;    /* radius + 1 weights from the centre outwards, sum of the whole kernel 1 */
  float *interpolate; /* [factor][BLUR_ORDER]: sample q * factor + r is the sum over j of
                         interpolate[r][j] times cell q + j - (BLUR_ORDER / 2 - 1) */
} BlurStage;

/* The filter of one axis. Without stages a FIR; with them the image is decimated stage by stage,
 * the FIR runs on the coarsest grid, and its result is interpolated stage by stage (multires.c). */
typedef struct {
  double sigma;
  int reach;                         /* source pixels needed on each side */
  int n_stages;                      /* 0: a FIR of the pixels themselves */
  BlurStage stages[BLUR_STAGES_MAX]; /* the finest first */
  int radius;                        /* of the FIR; 0 without stages: the axis is left alone */
  float *weights; /* radius + 1 of them from the centre outwards; the whole kernel sums to 1 */
} BlurAxis;

/* The largest integer not above a / b; b is positive. */
static inline int
fx_floor_div (int a, int b)
{
  return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/* Cells first to first + count - 1. */
typedef struct {
  int first, count;
} FxSpan;

/* The cells of the coarser grid that see any of the samples of span, and all that these lie
 * between; the outermost on both sides see none, so that clamping to them stands for all that lie
 * further out. (After the FIR that holds for the outermost weight of an interpolation, 1.6e-6, to
 * 1e-7.) */
FxSpan blur_stage_get_span (const BlurStage *stage, FxSpan span);

/* Fills axis for the multi-resolution method. ratio: how many of the coarsest cells sigma is to
 * measure at the least, 2 or more. FALSE where sigma is below 2 ratio, too small for a stage. */
gboolean blur_axis_init_multires (BlurAxis *axis, double sigma, double ratio);

/* Frees what axis points to. */
void blur_axis_clear (BlurAxis *axis);

typedef struct {
  gint users; /* atomic */
  FxFormat format;
  FxCurve curve;
  FxAbyss abyss;
  BlurAxis x, y;
  float beyond[4]; /* the premultiplied pixel beyond the edge; unused with FX_ABYSS_CLAMP */
  gboolean grown;  /* what of the image is not at hand is transparent: it was enlarged by that */
} BlurPlan;

/* params must have passed blur_params_check. Never NULL. Counted: each user frees it with
 * blur_plan_free (NULL is legal), on any thread, and changes it only while it is the only one. */
BlurPlan *blur_plan_new (const BlurParams *params, const FxFormat *format);
BlurPlan *blur_plan_ref (BlurPlan *plan);
void blur_plan_free (BlurPlan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BlurPlan, blur_plan_free)

/* Floats of a plane of width samples: room for whole vectors. */
gsize fx_get_pitch (int width);

/* One strip: its columns and rows of the region, x0 to x1 - 1 and y0 to y1 - 1, and the part of the
 * source that they need; width and height are the whole image's. */
typedef struct {
  int width, height;
  int x0, x1, y0, y1;
  int source_x0, source_x1, source_y0, source_y1;
  int chunk_rows;
} FxStrip;

/* The strip's source along each axis. */
FxSpan fx_strip_get_columns (const FxStrip *strip);
FxSpan fx_strip_get_rows (const FxStrip *strip);

/* Rows that a ring must hold for a FIR along y: what one chunk of the result reaches, and the rest
 * of the source chunk that it ends in. */
int fx_strip_get_ring_rows (const BlurPlan *plan, const FxStrip *strip);

/* Bytes that a device takes for a strip. */
typedef gsize (*FxStripBytes) (const BlurPlan *plan, const FxStrip *strip);

/* How a region is cut into strips of columns, done one after the other, and those into chunks of
 * rows. */
typedef struct {
  int strip_width; /* columns of the region a strip, the last may have fewer */
  int chunk_rows;  /* a power of two; chunks start at its multiples, so that they meet tile edges */
  gsize bytes;     /* what a strip takes */
} FxLayout;

/* The layout that takes at most limit bytes, with as few strips as that allows; where none is that
 * small, one not much larger than the smallest. */
FxLayout fx_layout_new (const BlurPlan *plan, const FxImage *image, FxStripBytes get_bytes,
                        gsize limit);

/* The strip whose first column is x0. */
FxStrip fx_layout_get_strip (const BlurPlan *plan, const FxImage *image, const FxLayout *layout,
                             int x0);

G_END_DECLS

#endif
