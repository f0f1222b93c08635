/* The Gaussian along one axis: pure arithmetic, no device, no I/O. */
#ifndef BLUR_AXIS_H
#define BLUR_AXIS_H

#include "rect.h"

G_BEGIN_DECLS

/* Below this an axis is left alone: the first neighbour would weigh less than 4e-6. */
#define BLUR_SIGMA_MIN 0.2

/* No pixel reaches further along an axis, in sigmas: there it weighs 3e-18 of what it does where it
 * is, but as infinity all the same. */
#define BLUR_REACH_MAX 9.0

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

/* Whether these leave an axis alone. */
gboolean blur_axis_is_alone (double sigma, int kernel_size);

/* Fills axis for a FIR of that radius; 0: the axis is left alone. */
void blur_axis_init_fir (BlurAxis *axis, double sigma, int radius);

/* Fills axis for the multi-resolution method. ratio: how many of the coarsest cells sigma is to
 * measure at the least, 2 or more. FALSE where sigma is below 2 ratio, too small for a stage. */
gboolean blur_axis_init_multires (BlurAxis *axis, double sigma, double ratio);

void blur_axis_copy (BlurAxis *axis, const BlurAxis *from);

/* Frees what axis points to. */
void blur_axis_clear (BlurAxis *axis);

/* The cells of the coarser grid that see any of the samples of span, and all that these lie
 * between. The outermost on both sides see none, so that clamping to them stands for all that lie
 * further out. (After the FIR that holds for the outermost weight of an interpolation, 1.6e-6, to
 * 1e-7.) */
FxSpan blur_stage_get_span (const BlurStage *stage, FxSpan span);

G_END_DECLS

#endif
