#include "ready-matrices.h"

#include <glib/gi18n-lib.h>

/* They are written as they lie on the image. Edge detectors are positive if the image becomes
 * brighter to the right, or downwards. */

#define FIXED_3(...) (&(const FilterMatrix) { 3, 3, 9, (const double[]) { __VA_ARGS__ } })
#define FIXED_5(...) (&(const FilterMatrix) { 5, 5, 25, (const double[]) { __VA_ARGS__ } })

#define BOX FIXED_3 (1, 1, 1, 1, 1, 1, 1, 1, 1)
#define MOTION \
  (&(const FilterMatrix) { 1, 11, 11, (const double[]) { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 } })
#define DISC FIXED_5 (0, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 0)

/* (1 4 6 4 1) in both directions. */
#define GAUSSIAN \
  FIXED_5 (1, 4, 6, 4, 1, 4, 16, 24, 16, 4, 6, 24, 36, 24, 6, 4, 16, 24, 16, 4, 1, 4, 6, 4, 1)

/* The image minus its Laplacian. */
#define SHARPEN FIXED_3 (0, -1, 0, -1, 5, -1, 0, -1, 0)

/* Twice the image minus its blur by (1 4 6 4 1) / 16 in both directions, times 256. */
#define UNSHARP                                                                                 \
  FIXED_5 (-1, -4, -6, -4, -1, -4, -16, -24, -16, -4, -6, -24, 476, -24, -6, -4, -16, -24, -16, \
           -4, -1, -4, -6, -4, -1)

/* Second differences to four neighbours, and to eight. */
#define LAPLACIAN_4 FIXED_3 (0, 1, 0, 1, -4, 1, 0, 1, 0)
#define LAPLACIAN_8 FIXED_3 (1, 1, 1, 1, -8, 1, 1, 1, 1)

/* (-1 0 1) across the edge. Along it, (1 2 1) by Sobel and Feldman, 1968; (1 1 1) by Prewitt, 1970;
 * (3 10 3) by Scharr, 2000. */
#define SOBEL_X   FIXED_3 (-1, 0, 1, -2, 0, 2, -1, 0, 1)
#define SOBEL_Y   FIXED_3 (-1, -2, -1, 0, 0, 0, 1, 2, 1)
#define PREWITT_X FIXED_3 (-1, 0, 1, -1, 0, 1, -1, 0, 1)
#define PREWITT_Y FIXED_3 (-1, -1, -1, 0, 0, 0, 1, 1, 1)
#define SCHARR_X  FIXED_3 (-3, 0, 3, -10, 0, 10, -3, 0, 3)
#define SCHARR_Y  FIXED_3 (-3, -10, -3, 0, 0, 0, 3, 10, 3)

/* From the manual of GIMP's Convolution Matrix: light comes from the lower right. */
#define EMBOSS FIXED_3 (-2, -1, 0, -1, 1, 1, 0, 1, 2)

/* Differences from all neighbours; bright on dark is positive. */
#define EDGE FIXED_3 (-1, -1, -1, -1, 8, -1, -1, -1, -1)

const ReadyMatrix ready_matrices[] = {
  { N_ ("Box"), BOX },
  { N_ ("Sharpen"), SHARPEN },
  { N_ ("Unsharp mask"), UNSHARP },
  { N_ ("Laplacian, 4 neighbors"), LAPLACIAN_4 },
  { N_ ("Laplacian, 8 neighbors"), LAPLACIAN_8 },
  { N_ ("Sobel, to the right"), SOBEL_X },
  { N_ ("Sobel, downwards"), SOBEL_Y },
  { N_ ("Prewitt, to the right"), PREWITT_X },
  { N_ ("Prewitt, downwards"), PREWITT_Y },
  { N_ ("Scharr, to the right"), SCHARR_X },
  { N_ ("Scharr, downwards"), SCHARR_Y },
  { N_ ("Emboss"), EMBOSS },
  { N_ ("Edge"), EDGE },
  { N_ ("Motion blur"), MOTION },
  { N_ ("Disc"), DISC },
  { N_ ("Gaussian"), GAUSSIAN },
  { NULL },
};
