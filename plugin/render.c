#include "render-traffic.h"

#include "trace.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>
#include <string.h>
#include <unistd.h>

#define PROGRESS_INTERVAL 40000 /* microseconds */

/* What GIMP says. */

gboolean
render_fail_gimp (GError **error)
{
  g_set_error_literal (error, RENDER_ERROR, RENDER_ERROR_GIMP, gimp_get_pdb_error ());
  return FALSE;
}

/* Pixels in and out. */

void
render_meter_add (RenderMeter *meter, gint64 since, gsize bytes)
{
  meter->microseconds += g_get_monotonic_time () - since;
  meter->bytes += bytes;
}

static gsize
get_bytes (const RenderTraffic *traffic, const BlurRect *rect)
{
  return (gsize) rect->width * rect->height * blur_format_size (&traffic->target->format);
}

/* Outside the drawable there are zeros, which is what a layer is enlarged by. */
static gboolean
read_pixels (gpointer data, const BlurRect *rect, gpointer pixels, gsize stride, GError **error)
{
  RenderTraffic *traffic = data;
  gint64 start = g_get_monotonic_time ();
  const BlurRect moved = { rect->x - traffic->plan->grow_x, rect->y - traffic->plan->grow_y,
                           rect->width, rect->height };
  gsize bytes = get_bytes (traffic, rect);

  if (traffic->source)
    bytes = source_get (traffic->source, &moved, pixels, stride);
  else
    tiles_read (traffic->tiles, &moved, pixels, stride);
  render_meter_add (&traffic->read, start, bytes);
  return TRUE;
}

static gboolean
write_shadow (gpointer data, const BlurRect *rect, gconstpointer pixels, gsize stride,
              GError **error)
{
  RenderTraffic *traffic = data;
  gint64 start = g_get_monotonic_time ();

  tiles_write (traffic->tiles, rect, &traffic->plan->image.region, pixels, stride);
  render_meter_add (&traffic->write, start, get_bytes (traffic, rect));
  return TRUE;
}

static gboolean
write_row (int file, const guint8 *row, gsize size, off_t place, GError **error)
{
  while (size > 0)
    {
      gssize n = pwrite (file, row, size, place);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        {
          g_set_error (error, RENDER_ERROR, RENDER_ERROR_FILE,
                       _("A temporary file cannot be written: %s"), g_strerror (errno));
          return FALSE;
        }
      row += n;
      size -= (gsize) n;
      place += n;
    }
  return TRUE;
}

static gboolean
write_file (gpointer data, const BlurRect *rect, gconstpointer pixels, gsize stride, GError **error)
{
  RenderTraffic *traffic = data;
  gsize pixel = blur_format_size (&traffic->target->format);
  int y;

  for (y = 0; y < rect->height; y++)
    if (! write_row (traffic->file, (const guint8 *) pixels + y * stride, rect->width * pixel,
                     ((off_t) (rect->y + y) * traffic->plan->image.width + rect->x) * (off_t) pixel,
                     error))
      return FALSE;
  return TRUE;
}

/* GIMP's own Cancel kills the process, so there is nothing to ask here. More updates than a person
 * sees would only take time. */
static gboolean
show_progress (gpointer data, double fraction)
{
  RenderTraffic *traffic = data;
  gint64 now = g_get_monotonic_time ();

  if (now - traffic->shown < PROGRESS_INTERVAL)
    return TRUE;
  gimp_progress_update (fraction);
  traffic->shown = now;
  return TRUE;
}

/* Traffic. */

void
render_traffic_init (RenderTraffic *traffic, const RenderTarget *target, const RenderPlan *plan,
                     Source *source)
{
  *traffic = (RenderTraffic) { .target = target, .plan = plan, .source = source, .file = -1,
                               .shown = g_get_monotonic_time () };
  /* Chunks of a grown layer's rows do not start where the drawable's tiles do. */
  traffic->tiles = tiles_open (target->drawable, plan->grow_y > 0);
}

void
render_traffic_clear (RenderTraffic *traffic)
{
  g_clear_pointer (&traffic->tiles, tiles_close);
  if (traffic->file != -1)
    close (traffic->file);
}

gboolean
render_traffic_run (RenderTraffic *traffic, BlurEngine *engine, BlurReport *report, GError **error)
{
  BlurImage image = traffic->plan->image;

  image.read = read_pixels;
  image.write = traffic->file == -1 ? write_shadow : write_file;
  image.progress = show_progress;
  image.data = traffic;
  return blur_engine_run (engine, &traffic->plan->params, &image, report, error);
}

gboolean
render_merge (gint32 drawable, Tiles **tiles, const BlurRect *rect, GError **error)
{
  g_clear_pointer (tiles, tiles_close);
  if (! gimp_drawable_merge_shadow (drawable, TRUE))
    return render_fail_gimp (error);
  gimp_drawable_update (drawable, rect->x, rect->y, rect->width, rect->height);
  return TRUE;
}

void
render_traffic_trace (const RenderTraffic *traffic, gint64 merge)
{
  gint64 now = g_get_monotonic_time ();

  blur_trace ("read", now - traffic->read.microseconds, traffic->read.bytes, NULL);
  blur_trace ("write", now - traffic->write.microseconds, traffic->write.bytes, NULL);
  blur_trace ("merge", merge, traffic->write.bytes, NULL);
}

/* A layer in place. */

static gboolean
render_in_place (BlurEngine *engine, const RenderTarget *target, const RenderPlan *plan,
                 Source *source, BlurReport *report, GError **error)
{
  RenderTraffic traffic;
  gint64 start;
  gboolean done;

  render_traffic_init (&traffic, target, plan, source);
  done = render_traffic_run (&traffic, engine, report, error);
  start = g_get_monotonic_time ();
  done = done && render_merge (target->drawable, &traffic.tiles, &plan->image.region, error);
  if (done)
    render_traffic_trace (&traffic, start);
  render_traffic_clear (&traffic);
  if (! done)
    gimp_drawable_free_shadow (target->drawable);
  return done;
}

/* Either. */

static gboolean
is_grown (const RenderPlan *plan)
{
  return plan->grow_x > 0 || plan->grow_y > 0;
}

/* Sets region to the part of the drawable that a blur changes: that under the selection, or all of
 * it. FALSE if there is none; then with error set if GIMP would not say. */
static gboolean
find_region (gint32 drawable, const RenderPlan *plan, BlurRect *region, GError **error)
{
  if (blur_params_is_identity (&plan->params))
    return FALSE;
  if (! gimp_drawable_mask_intersect (drawable, &region->x, &region->y, &region->width,
                                      &region->height))
    return gimp_get_pdb_status () == GIMP_PDB_SUCCESS ? FALSE : render_fail_gimp (error);
  if (is_grown (plan))
    *region = (BlurRect) { 0, 0, plan->image.width, plan->image.height };
  return TRUE;
}

gboolean
render_blur (BlurEngine *engine, gint32 drawable, const RenderSettings *settings, Source *source,
             gint64 since, GError **error)
{
  RenderTarget target;
  RenderPlan plan;
  BlurReport report;
  GError *failure = NULL;
  BlurRect *region = &plan.image.region;
  gboolean done;

  if (! blur_params_check (&settings->params, error) ||
      ! render_target_init (&target, drawable, error))
    return FALSE;
  if (source && ! source_matches (source, &target))
    source = NULL;
  render_plan_init (&plan, &target, settings);
  if (! find_region (drawable, &plan, region, &failure))
    {
      if (failure)
        g_propagate_error (error, failure);
      return ! failure;
    }
  gimp_progress_init (_("Gaussian Blur (CUDA)"));
  done = (is_grown (&plan) ? render_grown : render_in_place) (engine, &target, &plan, source, &report,
                                                        error);
  gimp_progress_end ();
  if (done)
    blur_trace ("blur", since,
                (gsize) region->width * region->height * blur_format_size (&target.format),
                "%dx%d %s %s", region->width, region->height, target.encoding, report.device_name);
  return done;
}
