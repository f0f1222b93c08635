/* What blur_preview_render hands on to a device. */
#ifndef BLUR_PREVIEW_JOB_H
#define BLUR_PREVIEW_JOB_H

#include "preview.h"

G_BEGIN_DECLS

/* An image in host memory, as blur_preview_new and blur_preview_set_mask have it. */
typedef struct {
  BlurFormat format;
  gboolean coverage;
  int width, height;
  gconstpointer pixels;
  const guint8 *mask; /* or NULL */
} BlurStored;

/* One view of it. Its arguments have been checked. */
typedef struct {
  const BlurStored *stored;
  BlurParams params; /* light: LINEAR of coverage */
  const BlurView *view;
  guint8 *rgba;
  BlurProgressFunc progress; /* may be NULL */
  gpointer data;
} BlurPreviewJob;

G_END_DECLS

#endif
