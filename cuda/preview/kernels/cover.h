/* The image pixels that one pixel of a view covers. Kernels include this file too, so it must not
 * use GLib. */
#ifndef FX_COVER_H
#define FX_COVER_H

/* The span of one axis of the image that a view pixel covers: pixels first to first + count - 1.
 * Their weights sum to 1. count 0: the view pixel covers nothing. */
typedef struct {
  int first, count;
  float weight_first, weight, weight_last; /* weight is for each pixel between the first and the
                                              last; a single pixel has weight_first */
} FxCover;

#endif
