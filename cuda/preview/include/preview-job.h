/* What blur_preview_render hands on to a device. */
#ifndef BLUR_PREVIEW_JOB_H
#define BLUR_PREVIEW_JOB_H

#include "preview.h"

G_BEGIN_DECLS

/* An image in host memory, as blur_preview_new, _set_mask and _set_kept have it. */
typedef struct {
  BlurFormat format;
  BlurFormat blurred; /* what the engine is told that it is: coverage is linear */
  gboolean coverage;
  int width, height;
  gconstpointer pixels;
  const guint8 *mask; /* or NULL */
  guint kept;         /* channels: bits */
} BlurStored;

/* One view of it. Its arguments have been checked. */
typedef struct {
  const BlurStored *stored;
  BlurParams params; /* light: LINEAR of coverage */
  const BlurView *view;
  guint8 *rgba;
  gsize limit; /* bytes of device memory that it may take */
  BlurProgressFunc progress; /* may be NULL */
  gpointer data;
} BlurPreviewJob;

/* Tells the job's progress function, if it has one. FALSE with BLUR_ERROR_CANCELLED if that says so. */
gboolean blur_preview_job_report (const BlurPreviewJob *job, double fraction, GError **error);

G_END_DECLS

#endif
