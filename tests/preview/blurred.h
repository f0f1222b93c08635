/* The image of which a view must be, in double precision: the whole image after the blur. */
#pragma once

#include "subject.h"

/* Premultiplied and linear. */
typedef struct {
  int left, top, right, bottom; /* of the grown image */
  int channels;
  double *values;
  double *leeways; /* of each of them */
} Blurred;

/* Creates it from the current pixels of s, blurred by the engine on the CPU. */
void blurred_init (Blurred *b, const Subject *s, const BlurParams *params, const FxView *view);
void blurred_clear (Blurred *b);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Blurred, blurred_clear)

/* The average that the view's pixel i, j shows, and of its leeways. FALSE if it lies beyond the
 * image. */
gboolean blurred_average (const Blurred *b, const FxView *v, int i, int j, double *values,
                          double *leeways);
