/* From the pixels of an image to those of a view of it: where they lie, and, on the CPU, their
 * averages. kernels/reduce.cu makes the same averages on the GPU. */
#ifndef FX_VIEW_H
#define FX_VIEW_H

#include "plan.h"
#include "preview.h"

G_BEGIN_DECLS

/* What a pixel of the view has of one axis of the image: pixels first to first + count - 1, with
 * these weights, which sum to 1. count 0: none. */
typedef struct {
  int first, count;
  float weight_first, weight, weight_last; /* weight: of each between; of a single one the first */
} FxCover;

static inline float
fx_cover_get_weight (const FxCover *cover, int pixel)
{
  if (pixel == cover->first)
    return cover->weight_first;
  return pixel == cover->first + cover->count - 1 ? cover->weight_last : cover->weight;
}

/* A view over an image whose first stored pixel is 0, 0. */
typedef struct {
  int width, height;       /* of the view */
  FxCover *columns, *rows; /* width, height of them */
  FxRect region;           /* the pixels that they have; width 0: none */
} FxFrame;

/* scale: pixels of the view to one of the image. rect: as in FxView. left, top, right, bottom:
 * where the image begins and ends, in its own pixels, not always at a whole one. Free it with
 * fx_frame_clear. */
void fx_frame_init (FxFrame *frame, double scale, const FxRect *rect, double left, double top,
                    double right, double bottom);
void fx_frame_clear (FxFrame *frame);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FxFrame, fx_frame_clear)

/* The averages, as the pixels come in. */
typedef struct FxReduction FxReduction;

/* What the pixels are mixed with before they are averaged: the image and its mask, both of width x
 * height pixels; outside of them nothing is mixed. mask NULL: nowhere. kept: the channels that stay
 * the image's, outside of it 0; as fx_keep has them. */
typedef struct {
  gconstpointer pixels;
  const guint8 *mask;
  guint kept;
  int width, height;
} FxBefore;

/* before, frame: must outlive it. format, coverage: as fx_preview_new has them. NULL when memory
 * runs out. */
FxReduction *fx_reduction_new (const FxFormat *format, gboolean coverage, const FxFrame *frame,
                               const FxBefore *before);
void fx_reduction_free (FxReduction *reduction); /* NULL is legal */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FxReduction, fx_reduction_free)

/* Takes in pixels of the region, each of them once, in any order; rows are stride bytes apart. */
void fx_reduction_add (FxReduction *reduction, const FxRect *rect, gconstpointer pixels,
                       gsize stride);

/* Writes the view: 4 bytes a pixel, straight alpha, through sRGB's curve. */
void fx_reduction_finish (FxReduction *reduction, guint8 *rgba);

G_END_DECLS

#endif
