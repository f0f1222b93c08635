/* The Gaussian along one axis: pure arithmetic, without a device or I/O. */
#pragma once

#include "rect.h"

/* Below this sigma an axis is not blurred: the first neighbour would weigh less than 4e-6. */
#define BLUR_SIGMA_MIN 0.2

/* The reach of a pixel along an axis, in sigmas. Further out, its weight is below 3e-18 of the
 * central one, which matters only for infinities. */
#define BLUR_REACH_MAX 9.0

#define BLUR_ORDER      8 /* of the B-splines for decimation and interpolation */
#define BLUR_FACTOR_MAX 8
#define BLUR_STAGES_MAX 4

/* One stage of the multi-resolution method. Cell n of the coarser grid lies at sample n * factor of
 * the finer one, in the coordinates of the whole image. */
typedef struct {
  int factor;         /* 2 to BLUR_FACTOR_MAX */
  int radius;         /* of decimate: BLUR_ORDER / 2 * (factor - 1) */
  float *decimate;    /* radius + 1 weights from the centre outwards; the whole kernel sums to 1 */
  float *interpolate; /* [factor][BLUR_ORDER]: sample q * factor + r is the sum over j of
                         interpolate[r][j] times cell q + j - (BLUR_ORDER / 2 - 1) */
} BlurStage;

/* The filter of one axis. Without stages it is a FIR. With stages, the image is decimated stage by
 * stage, the FIR is applied to the coarsest grid, and its result is interpolated stage by stage
 * (multires.c). */
typedef struct {
  double sigma;
  int reach;                         /* source pixels needed on each side */
  int n_stages;                      /* 0: the FIR is applied to the pixels */
  BlurStage stages[BLUR_STAGES_MAX]; /* the finest first */
  int radius;                        /* of the FIR; 0 without stages: the axis is not blurred */
  float *weights; /* radius + 1 weights from the centre outwards; the whole kernel sums to 1 */
} BlurAxis;

/* Returns whether an axis with these parameters is not blurred. */
gboolean blur_axis_is_identity (double sigma, int kernel_size);

/* Fills axis, which must be zeroed, for a FIR of that radius. Radius 0: the axis is not blurred.
 * Free its contents with blur_axis_clear. */
void blur_axis_init_fir (BlurAxis *axis, double sigma, int radius);

/* Fills axis, which must be zeroed, for the multi-resolution method. ratio, 2 or more, is the least
 * sigma on the coarsest grid, in its cells. Returns FALSE and leaves axis without stages if sigma
 * is below 2 ratio, too small for a stage. Free its contents with blur_axis_clear. */
gboolean blur_axis_init_multires (BlurAxis *axis, double sigma, double ratio);

/* Fills kernel with all 2 radius + 1 weights of the FIR, from left to right. */
void blur_axis_fill_kernel (const BlurAxis *axis, float *kernel);

/* Frees the arrays of axis, not axis itself. */
void blur_axis_clear (BlurAxis *axis);

/* Returns the cells of the coarser grid that depend on any sample of span, and those that its
 * samples are interpolated from. The outermost cell on each side depends on none of them, so
 * clamping to it replaces all cells further out. (After the FIR, this holds to 1e-7 for the
 * outermost weight of an interpolation, 1.6e-6.) */
FxSpan blur_stage_get_span (const BlurStage *stage, FxSpan span);
