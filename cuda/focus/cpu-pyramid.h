/* The levels of the pyramid on the CPU, as rows that roll down the picture. */
#pragma once

#include "cpu-blocks.h"
#include "cpu-lanes.h"
#include "focus-plan.h"

/* The rows of a level. A row of cells has pad more cells on each side, which equal the outermost
 * one. The picture's rows are decoded for each chunk of the result (cpu.c). The other levels make
 * theirs from strips: rows of the finer level, decimated along x alone. */
typedef struct {
  const FocusLevel *level;
  FxSpan columns, rows; /* all cells that the strip's source, and what is beyond the edge, make */
  int pad;
  gsize pitch; /* floats of a row, with the pads */
  int next;    /* the next row to compute; all before it are there, as far as the ring holds them */
  int ring;    /* rows in the ring: row y at slot (y - rows.first) mod ring */
  float *cells;
  int batch; /* the most rows that one chunk of the source adds */
  int strips_ring;
  float *strips;        /* strip of the finer level's row y at slot (y - its rows.first) mod ring */
  float *above, *below; /* of the picture's: the strips beyond its edges */
  float *wide;          /* the kernel along x (focus_widen) */
  int count;            /* of floats in it */
  float kernel[2 * FOCUS_TAPS_MAX + 1]; /* along y */
} FocusGrid;

typedef struct {
  FxCpuBlocks *run;
  const FocusPlan *plan;
  int channels, step; /* of a cell, and its floats */
  FocusGrid grids[FOCUS_LEVELS_MAX];
  float *scratch; /* two rows of the picture for each thread */
  FocusDecimate *decimate;
  FocusGather *gather;
} FocusPyramid;

/* Sets the measures, for a run whose strip is set. */
void focus_pyramid_init (FocusPyramid *pyramid, FxCpuBlocks *run);

/* Takes the arrays. */
void focus_pyramid_lay_out (FocusPyramid *pyramid);

/* Returns the address of column 0 of a grid's row. */
float *focus_grid_get_row (const FocusPyramid *pyramid, const FocusGrid *grid, int y);

/* Takes row y of the picture, decoded and with its pads. Several threads may each take a row. */
void focus_pyramid_push_row (const FocusPyramid *pyramid, const float *row, int y);

/* Takes the row that stands for all beyond the upper edge or, if above is FALSE, the lower one. */
void focus_pyramid_push_beyond (const FocusPyramid *pyramid, const float *row, gboolean above);

/* Computes all rows of all levels that the source's rows before end suffice for. */
void focus_pyramid_advance (FocusPyramid *pyramid, int end);

/* Returns what gathers pixels from a level. */
FocusSource focus_pyramid_get_source (const FocusPyramid *pyramid, int level);
