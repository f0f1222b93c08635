#include "apply-callbacks.h"

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
add (ApplyTransfer *transfer, gint64 since, gsize bytes)
{
  transfer->microseconds += g_get_monotonic_time () - since;
  transfer->bytes += bytes;
}

static gsize
apply_callbacks_get_bytes (const ApplyCallbacks *callbacks, const FxRect *rect)
{
  return (gsize) rect->width * rect->height * fx_format_size (&callbacks->target->format);
}

static gboolean
check_target (ApplyCallbacks *callbacks, GError **error)
{
  gint64 now = g_get_monotonic_time ();

  if (now - callbacks->checked < CHECK_INTERVAL)
    return TRUE;
  callbacks->checked = now;
  return apply_target_check (callbacks->target, error);
}

/* Pixels outside of the drawable are zero, as are those by which a layer is enlarged. */
static gboolean
read_pixels (gpointer data, const FxRect *rect, gpointer pixels, gsize stride, GError **error)
{
  ApplyCallbacks *callbacks = data;
  gint64 start = g_get_monotonic_time ();
  const FxRect moved = { rect->x - callbacks->job->grow_x, rect->y - callbacks->job->grow_y,
                         rect->width, rect->height };

  if (! check_target (callbacks, error))
    return FALSE;
  tiles_read (callbacks->tiles, &moved, pixels, stride);
  add (&callbacks->read, start, apply_callbacks_get_bytes (callbacks, rect));
  return TRUE;
}

static gboolean
write_shadow (gpointer data, const FxRect *rect, gconstpointer pixels, gsize stride, GError **error)
{
  ApplyCallbacks *callbacks = data;
  gint64 start = g_get_monotonic_time ();

  if (! check_target (callbacks, error))
    return FALSE;
  tiles_write (callbacks->tiles, rect, &callbacks->job->image.region, pixels, stride);
  add (&callbacks->write, start, apply_callbacks_get_bytes (callbacks, rect));
  return TRUE;
}

gboolean
apply_callbacks_fail_file (GError **error)
{
  return fx_set_error (error, APPLY_ERROR, APPLY_ERROR_FILE,
                       _ ("A temporary file cannot be written: %s"), g_strerror (errno));
}

static gboolean
write_result (gpointer data, const FxRect *rect, gconstpointer pixels, gsize stride, GError **error)
{
  const ApplyCallbacks *callbacks = data;
  gsize pixel = fx_format_size (&callbacks->target->format), bytes = rect->width * pixel;
  int width = callbacks->job->image.width;
  int together = rect->width == width && stride == bytes ? rect->height : 1; /* whole rows */
  const char *row = pixels;

  for (int y = rect->y; y < rect->y + rect->height; y += together, row += stride * together)
    {
      off_t place = (off_t) y * width + rect->x;

      if (fseeko (callbacks->result, place * (off_t) pixel, SEEK_SET) != 0 ||
          fwrite (row, bytes, (gsize) together, callbacks->result) != (gsize) together)
        return apply_callbacks_fail_file (error);
    }
  return fflush (callbacks->result) == 0 || apply_callbacks_fail_file (error);
}

/* GIMP's own Cancel kills the process, so there is nothing to ask here. More updates than a person
 * can see would only take time. */
static gboolean
show_progress (gpointer data, double fraction)
{
  ApplyCallbacks *callbacks = data;
  gint64 now = g_get_monotonic_time ();

  if (now - callbacks->reported < PROGRESS_INTERVAL)
    return TRUE;
  gimp_progress_update (fraction);
  callbacks->reported = now;
  return TRUE;
}

/* All of them. */

void
apply_callbacks_init (ApplyCallbacks *callbacks, const ApplyTarget *target, const ApplyJob *job)
{
  *callbacks = (ApplyCallbacks) { .target = target,
                                  .job = job,
                                  .reported = g_get_monotonic_time (),
                                  .checked = g_get_monotonic_time () };
  /* The chunks of a grown layer do not start at tile edges of the drawable. */
  callbacks->tiles = tiles_open (target, job->grow_y > 0);
}

void
apply_callbacks_clear (ApplyCallbacks *callbacks)
{
  g_clear_pointer (&callbacks->tiles, tiles_close);
  if (callbacks->result)
    fclose (callbacks->result);
}

gboolean
apply_callbacks_run (ApplyCallbacks *callbacks, FxEngine *engine, FxReport *report, GError **error)
{
  const ApplyJob *job = callbacks->job;
  FxImage image = job->image;

  image.read = read_pixels;
  image.write = callbacks->result ? write_result : write_shadow;
  image.progress = show_progress;
  image.data = callbacks;
  return fx_engine_run (engine, job->plan, job->device, &image, report, error);
}

void
apply_callbacks_trace (const ApplyCallbacks *callbacks, gint64 merge)
{
  gint64 now = g_get_monotonic_time ();

  fx_trace ("read", now - callbacks->read.microseconds, callbacks->read.bytes, NULL);
  fx_trace ("write", now - callbacks->write.microseconds, callbacks->write.bytes, NULL);
  fx_trace ("merge", merge, callbacks->write.bytes, NULL);
}
