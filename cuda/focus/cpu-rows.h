/* Rows of the picture and of the result on the CPU. A pixel of the picture is a cell: its decoded
 * channels, with keep-sharp multiplied by its weight, which follows them, and zeros up to as many
 * floats as a cell has. */
#pragma once

#include "cpu-blocks.h"
#include "cpu-lanes.h"
#include "focus-plan.h"

#define FOCUS_COLUMNS 64 /* of a block */
#define FOCUS_ROWS    16

/* Returns the floats of a cell. */
int focus_plan_get_step (const FocusPlan *plan);

/* Fills cells with row y of the source, and so many more cells before and after it, which lie
 * beyond the edges. */
void focus_decode_row (const FxCpuBlocks *run, const guint8 *source, int y, int before, int after,
                       float *cells);

/* Sets n cells to what is beyond the edge next to cells, which are distance floats apart; 0: next
 * to one cell. */
void focus_fill_beyond (const FxCpuBlocks *run, const float *cells, gsize distance, int n,
                        float *beyond);

/* Computes pixel x, y of the image, whose strength in pixels is given, in the codec's floats. */
typedef void FocusCompute (gconstpointer data, int x, int y, float strength, float *pixel);

/* Computes n pixels of a row, at most FOCUS_COLUMNS, from x on. Those with next to no blur stay as
 * they are stored. */
void focus_filter_row (const FxCpuBlocks *run, int x, int y, int n, FocusCompute *compute,
                       gconstpointer data, guint8 *result);
