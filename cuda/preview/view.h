/* Views of an image: which image pixels each view pixel covers and, on the CPU, their averages.
 * preview/kernels/reduce.cu computes the same averages on the GPU. */
#pragma once

#include "kernels/cover.h"
#include "preview.h"
#include "team.h"

static inline float
fx_cover_get_weight (const FxCover *cover, int pixel)
{
  if (pixel == cover->first)
    return cover->weight_first;
  return pixel == cover->first + cover->count - 1 ? cover->weight_last : cover->weight;
}

/* An image in host memory from which views are rendered. */
typedef struct {
  FxFormat format;    /* as it is stored */
  FxFormat processed; /* as the filter treats it: coverage is linear */
  gboolean coverage;  /* a mask or a channel, to which light does not apply */
  int width, height;
  gconstpointer pixels; /* rows without padding */
  const guint8 *mask;   /* the share of the result in each pixel, 0 to 255; NULL: 255 everywhere */
  guint locked;         /* bits of the channels that stay unchanged */
} FxStored;

/* The mapping between a view and an image whose first stored pixel is 0, 0. */
typedef struct {
  int width, height;                      /* of the view */
  FxCover *columns, *rows;                /* arrays of width and of height */
  FxSpan covering_columns, covering_rows; /* of the view: those that cover pixels of the image */
  FxRect region;                          /* the image's pixels that these cover; width 0: none */
} FxFrame;

/* Fills frame for the view of an image or, if level is not 0, of its copy scaled down by 2^level,
 * whose edges need not be whole numbers. Free the frame's contents with fx_frame_clear. */
void fx_frame_init (FxFrame *frame, const FxStored *stored, const FxView *view, int level);
void fx_frame_clear (FxFrame *frame);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FxFrame, fx_frame_clear)

/* The running averages of a view, on the CPU. One thread at a time may use a reduction. */
typedef struct FxReduction FxReduction;

/* Creates a reduction. Before pixels are averaged, they are mixed with those of before under its
 * mask, and its locked channels are restored. Outside of before, pixels are not mixed, and locked
 * channels are 0. before, frame and team, whose threads do the work, must outlive the reduction.
 * Returns NULL if memory runs out; free it with fx_reduction_free. */
FxReduction *fx_reduction_new (const FxStored *before, const FxFrame *frame, FxTeam *team);
void fx_reduction_free (FxReduction *reduction); /* NULL is legal */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FxReduction, fx_reduction_free)

/* Adds the pixels of rect, whose rows are stride bytes apart. Each pixel of the frame's region must
 * be added once, in any order. */
void fx_reduction_add (FxReduction *reduction, const FxRect *rect, gconstpointer pixels,
                       gsize stride);

/* Writes the view to rgba: width x height pixels of 4 bytes without padding, straight alpha,
 * encoded with the curve of the image's format. Call it once, after all pixels were added. */
void fx_reduction_finish (FxReduction *reduction, guint8 *rgba);
