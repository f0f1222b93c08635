/* From the pixels of an image to those of a view of it: where they lie, and, on the CPU, their
 * averages. gpu/kernels/reduce.cu makes the same averages on the GPU. */
#ifndef FX_VIEW_H
#define FX_VIEW_H

#include "cover.h"
#include "format.h"
#include "rect.h"
#include "team.h"

G_BEGIN_DECLS

static inline float
fx_cover_get_weight (const FxCover *cover, int pixel)
{
  if (pixel == cover->first)
    return cover->weight_first;
  return pixel == cover->first + cover->count - 1 ? cover->weight_last : cover->weight;
}

/* An image in host memory, of which views are made. */
typedef struct {
  FxFormat format;    /* as it is stored */
  FxFormat processed; /* what a filter is told that it is: coverage is linear */
  gboolean coverage;  /* a mask or a channel, which light does not touch */
  int width, height;
  gconstpointer pixels; /* rows without padding */
  const guint8 *mask;   /* the share of each pixel that the result gets, of 255; NULL: all */
  guint kept;           /* channels that stay as they are: bits */
} FxStored;

/* What to show. Column i of the scaled image covers the image's columns from i / scale to (i + 1) /
 * scale, and rows likewise. */
typedef struct {
  double scale;       /* pixels of the view to one of the image: 1/1024 to 1024 */
  FxRect rect;        /* up to 16384 x 16384 pixels of the scaled image, whose 0, 0 is that of the
                         image before it is enlarged; what lies beyond the enlarged one is
                         transparent */
  int grow_x, grow_y; /* pixels of zeros that the image is enlarged by on each side, 0 or more */
  gboolean draft;     /* a draft is welcome, where the CPU would take longer than a hand on a slider
                         waits: it takes a tenth of a second, but for the first of changed pixels */
} FxView;

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

/* before, frame, team: must outlive it. format, coverage: as FxStored has them. team: adds. NULL
 * when memory runs out. */
FxReduction *fx_reduction_new (const FxFormat *format, gboolean coverage, const FxFrame *frame,
                               const FxBefore *before, FxTeam *team);
void fx_reduction_free (FxReduction *reduction); /* NULL is legal */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FxReduction, fx_reduction_free)

/* Takes in pixels of the region, each of them once, in any order; rows are stride bytes apart. */
void fx_reduction_add (FxReduction *reduction, const FxRect *rect, gconstpointer pixels,
                       gsize stride);

/* Writes the view: 4 bytes a pixel, straight alpha, through the curve of the image's format. */
void fx_reduction_finish (FxReduction *reduction, guint8 *rgba);

G_END_DECLS

#endif
