/* Decoded rows of the source, and the means over their pixels' windows, on the CPU. */
#pragma once

#include "selective-plan.h"
#include "strip.h"

#define SELECTIVE_BLOCK 64 /* pixels of the result that are computed at a time */

/* A row has planes of pitch floats: the colours that are averaged; those that are compared, if they
 * are others (32-bit integers as they are); and the weights. Its first column is radius to the left
 * of the strip's result, its last one radius to the right, or more. A colour that does not count is
 * NaN in what is compared, or with Soft has the weight 0. */
typedef struct {
  const SelectivePlan *plan;
  int colors, compared, weights; /* planes: how many colours, and the first of the others */
  int left, source, columns;     /* before the source's first column; the source's; all */
  gsize pitch;
} SelectiveLayout;

SelectiveLayout selective_layout_new (const SelectivePlan *plan, const FxStrip *strip);

/* Returns the floats of a row. */
gsize selective_layout_get_size (const SelectiveLayout *layout);

/* Fills row with pixels, a row of the source. */
void selective_layout_decode (const SelectiveLayout *layout, const guint8 *pixels, float *row);

/* cpu-window.c: computes SELECTIVE_BLOCK pixels of a row. rows are the decoded rows of their
 * windows, from the top (NULL: nothing), and column is the row's at which the first pixel's window
 * begins. Sets result to a plane of SELECTIVE_BLOCK floats for each colour, in which NaN stands for
 * a sample that stays. */
void selective_window_filter (const SelectiveLayout *layout, const float *const *rows, int column,
                              float (*result)[SELECTIVE_BLOCK]);
