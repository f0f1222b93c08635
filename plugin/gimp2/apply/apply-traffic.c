#include "apply-traffic.h"

#include "rectangle.h"
#include "trace.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>

/* In microseconds. A check takes three messages, which is 1% of that interval. The user most likely
 * changes something while the engine computes, and then the next check comes before the next
 * tiles. */
#define CHECK_INTERVAL    20000
#define PROGRESS_INTERVAL 40000

/* Pixels in and out. */

/* Adds bytes, and the time from since, by g_get_monotonic_time, until now. */
static void
add (ApplyMeter *meter, gint64 since, gsize bytes)
{
  meter->microseconds += g_get_monotonic_time () - since;
  meter->bytes += bytes;
}

static gsize
apply_traffic_get_bytes (const ApplyTraffic *traffic, const FxRect *rect)
{
  return (gsize) rect->width * rect->height * fx_format_size (&traffic->target->format);
}

static gboolean
check_target (ApplyTraffic *traffic, GError **error)
{
  gint64 now = g_get_monotonic_time ();

  if (now - traffic->checked < CHECK_INTERVAL)
    return TRUE;
  traffic->checked = now;
  return apply_target_check (traffic->target, error);
}

/* Pixels outside of the drawable are zero, as are those by which a layer is enlarged. */
static gboolean
read_pixels (gpointer data, const FxRect *rect, gpointer pixels, gsize stride, GError **error)
{
  ApplyTraffic *traffic = data;
  gint64 start = g_get_monotonic_time ();
  const FxRect moved = { rect->x - traffic->job->grow_x, rect->y - traffic->job->grow_y,
                         rect->width, rect->height };

  if (! check_target (traffic, error))
    return FALSE;
  tiles_read (traffic->tiles, &moved, pixels, stride);
  add (&traffic->read, start, apply_traffic_get_bytes (traffic, rect));
  return TRUE;
}

static gboolean
write_shadow (gpointer data, const FxRect *rect, gconstpointer pixels, gsize stride, GError **error)
{
  ApplyTraffic *traffic = data;
  gint64 start = g_get_monotonic_time ();

  if (! check_target (traffic, error))
    return FALSE;
  tiles_write (traffic->tiles, rect, &traffic->job->image.region, pixels, stride);
  add (&traffic->write, start, apply_traffic_get_bytes (traffic, rect));
  return TRUE;
}

gboolean
apply_traffic_fail_file (GError **error)
{
  g_set_error (error, APPLY_ERROR, APPLY_ERROR_FILE, _ ("A temporary file cannot be written: %s"),
               g_strerror (errno));
  return FALSE;
}

static gboolean
write_result (gpointer data, const FxRect *rect, gconstpointer pixels, gsize stride, GError **error)
{
  const ApplyTraffic *traffic = data;
  gsize pixel = fx_format_size (&traffic->target->format), bytes = rect->width * pixel;
  int width = traffic->job->image.width;
  int together = rect->width == width && stride == bytes ? rect->height : 1; /* whole rows */
  const char *row = pixels;

  for (int y = rect->y; y < rect->y + rect->height; y += together, row += stride * together)
    {
      off_t place = (off_t) y * width + rect->x;

      if (fseeko (traffic->result, place * (off_t) pixel, SEEK_SET) != 0 ||
          fwrite (row, bytes, (gsize) together, traffic->result) != (gsize) together)
        return apply_traffic_fail_file (error);
    }
  return fflush (traffic->result) == 0 || apply_traffic_fail_file (error);
}

/* GIMP's own Cancel kills the process, so there is nothing to ask here. More updates than a person
 * can see would only take time. */
static gboolean
show_progress (gpointer data, double fraction)
{
  ApplyTraffic *traffic = data;
  gint64 now = g_get_monotonic_time ();

  if (now - traffic->told < PROGRESS_INTERVAL)
    return TRUE;
  gimp_progress_update (fraction);
  traffic->told = now;
  return TRUE;
}

/* Traffic. */

void
apply_traffic_init (ApplyTraffic *traffic, const ApplyTarget *target, const ApplyJob *job)
{
  *traffic = (ApplyTraffic) { .target = target,
                              .job = job,
                              .told = g_get_monotonic_time (),
                              .checked = g_get_monotonic_time () };
  /* The chunks of a grown layer do not start at tile edges of the drawable. */
  traffic->tiles = tiles_open (target, job->grow_y > 0);
}

void
apply_traffic_clear (ApplyTraffic *traffic)
{
  g_clear_pointer (&traffic->tiles, tiles_close);
  if (traffic->result)
    fclose (traffic->result);
}

gboolean
apply_traffic_run (ApplyTraffic *traffic, FxEngine *engine, FxReport *report, GError **error)
{
  const ApplyJob *job = traffic->job;
  FxImage image = job->image;

  image.read = read_pixels;
  image.write = traffic->result ? write_result : write_shadow;
  image.progress = show_progress;
  image.data = traffic;
  return fx_engine_run (engine, job->plan, job->device, &image, report, error);
}

void
apply_traffic_trace (const ApplyTraffic *traffic, gint64 merge)
{
  gint64 now = g_get_monotonic_time ();

  fx_trace ("read", now - traffic->read.microseconds, traffic->read.bytes, NULL);
  fx_trace ("write", now - traffic->write.microseconds, traffic->write.bytes, NULL);
  fx_trace ("merge", merge, traffic->write.bytes, NULL);
}
