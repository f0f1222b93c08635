/* What a pixel of a view covers. Kernels read this too: no GLib here. */
#ifndef FX_COVER_H
#define FX_COVER_H

/* What a pixel of the view has of one axis of the image: pixels first to first + count - 1, with
 * these weights, which sum to 1. count 0: none. */
typedef struct {
  int first, count;
  float weight_first, weight, weight_last; /* weight: of each between; of a single one the first */
} FxCover;

#endif
