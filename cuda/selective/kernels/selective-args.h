/* Declarations shared by the kernel of a selective blur, and the C code. */
#ifndef SELECTIVE_ARGS_H
#define SELECTIVE_ARGS_H

#define SELECTIVE_REACH_MAX 200 /* as SELECTIVE_RADIUS_MAX */

/* Which values of two pixels are compared. */
#define SELECTIVE_STORED 0 /* their samples: integers as integers, others as floats */
#define SELECTIVE_CODES  1 /* the codes of linear samples */
#define SELECTIVE_VALUES 2 /* perceptual values, times scale */

typedef struct {
  float weights[SELECTIVE_REACH_MAX + 1]; /* by distance along an axis; their sum over the window's
                                             side is 1 */
  int radius;
  float delta;        /* the largest difference that counts */
  unsigned delta_u32; /* likewise, of 32-bit integers */
  float scale;        /* by which Soft multiplies values before it compares them: the similarity is
                         2 to the power of minus the squared distance */
  float unscale;      /* by which the mean is multiplied if what is compared is averaged, too */
} SelectiveWindow;

/* The rows of the source that a launch goes through: low to high - 1, counted from the first row of
 * a block. The sums of those before and after are in sums: plane n, of pitch floats, has sum n of
 * every thread, block by block and row by row, with across blocks in a row. */
typedef struct {
  float *sums;
  int low, high, across, pitch;
} SelectiveRows;

#endif
