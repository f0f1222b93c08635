/* What fx_preview_render hands on to a device. */
#ifndef FX_PREVIEW_JOB_H
#define FX_PREVIEW_JOB_H

#include "preview.h"

G_BEGIN_DECLS

/* An image in host memory, as fx_preview_new, _set_mask and _set_kept have it. */
typedef struct {
  FxFormat format;
  FxFormat blurred; /* what the engine is told that it is: coverage is linear */
  gboolean coverage;
  int width, height;
  gconstpointer pixels;
  const guint8 *mask; /* or NULL */
  guint kept;         /* channels: bits */
} FxStored;

/* One view of it. Its arguments have been checked. */
typedef struct {
  const FxStored *stored;
  BlurParams params; /* light: LINEAR of coverage */
  const FxView *view;
  guint8 *rgba;
  gsize limit;             /* bytes of device memory that it may take */
  FxProgressFunc progress; /* may be NULL */
  gpointer data;
} FxPreviewJob;

/* Tells the job's progress function, if it has one. FALSE with FX_ERROR_CANCELLED if that says so.
 */
gboolean fx_preview_job_report (const FxPreviewJob *job, double fraction, GError **error);

G_END_DECLS

#endif
