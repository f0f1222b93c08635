#include "cpu-preview.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define SCALE_MAX 1024.0

struct BlurPreview {
  BlurEngine *engine;
  BlurStored stored;
  BlurCpuPreview *cpu;
};

BlurPreview *
blur_preview_new (BlurEngine *engine, const BlurFormat *format, gboolean coverage, int width,
                  int height, gconstpointer pixels)
{
  BlurPreview *preview = g_new0 (BlurPreview, 1);

  preview->engine = engine;
  preview->stored = (BlurStored) { *format, coverage, width, height, pixels };
  preview->cpu = blur_cpu_preview_new (engine, &preview->stored);
  return preview;
}

void
blur_preview_free (BlurPreview *preview)
{
  if (! preview)
    return;
  blur_cpu_preview_free (preview->cpu);
  g_free (preview);
}

void
blur_preview_change (BlurPreview *preview, int y, int rows)
{
  int first = MAX (y, 0), end = (int) MIN ((gint64) y + rows, preview->stored.height);

  if (first < end)
    blur_cpu_preview_change (preview->cpu, first, end - first);
}

void
blur_preview_set_mask (BlurPreview *preview, const guint8 *mask)
{
  preview->stored.mask = mask;
  blur_cpu_preview_change_mask (preview->cpu);
}

/* Checking. */

static gboolean
check_view (const BlurView *view, GError **error)
{
  const BlurRect *r = &view->rect;

  if (! (view->scale >= 1.0 / SCALE_MAX && view->scale <= SCALE_MAX))
    g_set_error (error, BLUR_ERROR, BLUR_ERROR_ARGUMENT,
                 _("scale is %g, but must be 1/%g to %g"), view->scale, SCALE_MAX, SCALE_MAX);
  else if (r->width < 1 || r->height < 1)
    g_set_error (error, BLUR_ERROR, BLUR_ERROR_ARGUMENT,
                 _("the view is %d x %d pixels, but must be at least 1 x 1"), r->width, r->height);
  else if (view->grow_x < 0 || view->grow_y < 0 || view->grow_x > BLUR_SIZE_MAX / 4 ||
           view->grow_y > BLUR_SIZE_MAX / 4)
    g_set_error (error, BLUR_ERROR, BLUR_ERROR_ARGUMENT,
                 _("the image is to grow by %d x %d pixels, but must by 0 to %d"), view->grow_x,
                 view->grow_y, BLUR_SIZE_MAX / 4);
  else
    return TRUE;
  return FALSE;
}

/* Rendering. */

gboolean
blur_preview_render (BlurPreview *preview, const BlurParams *params, const BlurView *view,
                     guint8 *rgba, BlurProgressFunc progress, gpointer data,
                     BlurViewReport *report, GError **error)
{
  gint64 start = g_get_monotonic_time ();
  BlurPreviewJob job = { &preview->stored, *params, view, rgba, progress, data };
  BlurViewReport done = { 0 };

  if (! blur_params_check (params, error) || ! check_view (view, error))
    return FALSE;
  if (preview->stored.coverage)
    job.params.light = BLUR_LIGHT_LINEAR;
  if (! blur_cpu_preview_render (preview->cpu, &job, &done.report, &done.draft, error))
    return FALSE;
  done.report.milliseconds = (g_get_monotonic_time () - start) / 1000.0;
  if (report)
    *report = done;
  return TRUE;
}
