#include "render-traffic.h"

#include "trace.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>
#include <unistd.h>

/* In microseconds. A check takes three messages, which is 1% of that interval. The user most likely
 * changes something while the engine computes, and then the next check comes before the next
 * tiles. */
#define CHECK_INTERVAL    20000
#define PROGRESS_INTERVAL 40000

/* Pixels in and out. */

void
render_meter_add (RenderMeter *meter, gint64 since, gsize bytes)
{
  meter->microseconds += g_get_monotonic_time () - since;
  meter->bytes += bytes;
}

static gsize
render_traffic_get_bytes (const RenderTraffic *traffic, const FxRect *rect)
{
  return (gsize) rect->width * rect->height * fx_format_size (&traffic->target->format);
}

static gboolean
check_target (RenderTraffic *traffic, GError **error)
{
  gint64 now = g_get_monotonic_time ();

  if (now - traffic->checked < CHECK_INTERVAL)
    return TRUE;
  traffic->checked = now;
  return render_target_check (traffic->target, error);
}

/* Pixels outside of the drawable are zero, as are those by which a layer is enlarged. */
static gboolean
read_pixels (gpointer data, const FxRect *rect, gpointer pixels, gsize stride, GError **error)
{
  RenderTraffic *traffic = data;
  gint64 start = g_get_monotonic_time ();
  const FxRect moved = { rect->x - traffic->job->grow_x, rect->y - traffic->job->grow_y,
                         rect->width, rect->height };

  if (! check_target (traffic, error))
    return FALSE;
  tiles_read (traffic->tiles, &moved, pixels, stride);
  render_meter_add (&traffic->read, start, render_traffic_get_bytes (traffic, rect));
  return TRUE;
}

static gboolean
write_shadow (gpointer data, const FxRect *rect, gconstpointer pixels, gsize stride, GError **error)
{
  RenderTraffic *traffic = data;
  gint64 start = g_get_monotonic_time ();

  if (! check_target (traffic, error))
    return FALSE;
  tiles_write (traffic->tiles, rect, &traffic->job->image.region, pixels, stride);
  render_meter_add (&traffic->write, start, render_traffic_get_bytes (traffic, rect));
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
                       _ ("A temporary file cannot be written: %s"), g_strerror (errno));
          return FALSE;
        }
      row += n;
      size -= (gsize) n;
      place += n;
    }
  return TRUE;
}

static gboolean
write_file (gpointer data, const FxRect *rect, gconstpointer pixels, gsize stride, GError **error)
{
  RenderTraffic *traffic = data;
  gsize pixel = fx_format_size (&traffic->target->format);
  int y;

  for (y = 0; y < rect->height; y++)
    if (! write_row (traffic->file, (const guint8 *) pixels + y * stride, rect->width * pixel,
                     ((off_t) (rect->y + y) * traffic->job->image.width + rect->x) * (off_t) pixel,
                     error))
      return FALSE;
  return TRUE;
}

/* GIMP's own Cancel kills the process, so there is nothing to ask here. More updates than a person
 * can see would only take time. */
static gboolean
show_progress (gpointer data, double fraction)
{
  RenderTraffic *traffic = data;
  gint64 now = g_get_monotonic_time ();

  if (now - traffic->told < PROGRESS_INTERVAL)
    return TRUE;
  gimp_progress_update (fraction);
  traffic->told = now;
  return TRUE;
}

/* Traffic. */

void
render_traffic_init (RenderTraffic *traffic, const RenderTarget *target, const RenderJob *job)
{
  *traffic = (RenderTraffic) { .target = target,
                               .job = job,
                               .file = -1,
                               .told = g_get_monotonic_time (),
                               .checked = g_get_monotonic_time () };
  /* The chunks of a grown layer do not start at tile edges of the drawable. */
  traffic->tiles = tiles_open (target, job->grow_y > 0);
}

void
render_traffic_clear (RenderTraffic *traffic)
{
  g_clear_pointer (&traffic->tiles, tiles_close);
  if (traffic->file != -1)
    close (traffic->file);
}

gboolean
render_traffic_run (RenderTraffic *traffic, FxEngine *engine, FxReport *report, GError **error)
{
  const RenderJob *job = traffic->job;
  FxImage image = job->image;

  image.read = read_pixels;
  image.write = traffic->file == -1 ? write_shadow : write_file;
  image.progress = show_progress;
  image.data = traffic;
  return fx_engine_run (engine, job->plan, job->device, &image, report, error);
}

void
render_traffic_trace (const RenderTraffic *traffic, gint64 merge)
{
  gint64 now = g_get_monotonic_time ();

  fx_trace ("read", now - traffic->read.microseconds, traffic->read.bytes, NULL);
  fx_trace ("write", now - traffic->write.microseconds, traffic->write.bytes, NULL);
  fx_trace ("merge", merge, traffic->write.bytes, NULL);
}
