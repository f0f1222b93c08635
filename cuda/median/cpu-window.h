/* Windows on the CPU: a histogram slides over the codes of a block's source.
 *
 * A code is a rank or a sample, in the order of the samples; what changes its digits stands with
 * median_swap. Its bytes from the second one on are its digits at the coarser levels: at level n,
 * the histogram counts the codes by what remains if the n lowest bytes are left out. */
#pragma once

#include "median-plan.h"

#define MEDIAN_LEVELS_MAX 3
#define MEDIAN_TOP_BITS   4 /* of a code with all levels, above its two lowest bytes */

/* Returns code with the four pairs of bits of each of its two lowest bytes in reverse order, or a
 * changed code as it was. In a histogram of changed codes, vectors of neighbouring counters add up
 * to the counts by the upper pairs (find_byte). */
static inline guint32
median_swap (guint32 code)
{
  guint32 bytes = (code & 0xcccc) >> 2 | (code & 0x3333) << 2;

  return (code & ~0xffffu) | (bytes & 0xf0f0) >> 4 | (bytes & 0x0f0f) << 4;
}

/* A channel of a block. Its source has pitch codes in a row; the window of the first pixel begins
 * at the first code. moves are of the window: by a pixel to the right, down, and to the left; each
 * has as many places that enter and that leave as the window's side has pixels, from the middle
 * before the move. */
typedef struct {
  const MedianWindow *window;
  int columns, rows, pitch;
  const int *enters[3], *leaves[3];
  int levels;          /* 1: codes are bytes; 2: guint16; 3: guint32 */
  gconstpointer codes; /* changed by median_swap */
  gboolean weighs;     /* codes are twice as wide: weights are their upper halves */
  double percentile;   /* with weights */
  unsigned rank;       /* without them */
  guint32 *counters[MEDIAN_LEVELS_MAX]; /* of each level, all 0 */
  guint32 *found;                       /* the result, as changed codes, without a gap */
} MedianSlide;

#define MEDIAN_FOUND_NOTHING G_MAXUINT32 /* no pixel of the window has a weight */

/* Sets found; leaves counts in the counters. */
G_GNUC_INTERNAL void median_slide_run (const MedianSlide *slide);
