#include "job.h"
#include "fingerprint.h"
#include "picture.h"
#include "reference.h"
#include "run.h"

#include <stdarg.h>
#include <string.h>

static void complain (Job *job, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
complain (Job *job, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  if (! job->complaint)
    job->complaint = g_strdup_vprintf (format, args);
  va_end (args);
}

GQuark
job_error_quark (void)
{
  return g_quark_from_static_string ("test-job");
}

/* Takes the shift off rect, and checks that it lies within outer and rows do not overlap. */
static FxRect
check_rect (Job *job, const char *what, const FxRect *rect, const FxRect *outer, gsize stride)
{
  const FxRect r = { rect->x - job->shift_x, rect->y - job->shift_y, rect->width, rect->height };

  if (g_thread_self () != job->thread)
    complain (job, "%s on another thread", what);
  if (r.width < 1 || r.height < 1 || r.x < outer->x || r.y < outer->y ||
      r.x + r.width > outer->x + outer->width || r.y + r.height > outer->y + outer->height)
    complain (job, "%s of %dx%d at %d,%d, outside %dx%d at %d,%d", what, r.width, r.height, r.x,
              r.y, outer->width, outer->height, outer->x, outer->y);
  if (r.height > 1 && stride < r.width * job->pixel)
    complain (job, "%s with a stride of %" G_GSIZE_FORMAT " bytes for %d pixels", what, stride,
              r.width);
  return r;
}

/* Fills the gap behind each row too, with bytes that are NaN or white: they must not matter. */
static gboolean
read_rect (gpointer data, const FxRect *rect, gpointer pixels, gsize stride, GError **error)
{
  Job *job = data;
  const FxRect r = check_rect (job, "read", rect, &job->reach, stride);

  if (++job->reads == job->fail_read)
    {
      g_set_error (error, job_error_quark (), 42, "read %d fails", job->reads);
      return FALSE;
    }
  for (int y = 0; ! job->complaint && y < r.height; y++)
    {
      guint8 *row = (guint8 *) pixels + y * stride;

      memcpy (row, job->source + ((gsize) (r.y + y) * job->c->width + r.x) * job->pixel,
              r.width * job->pixel);
      if (y < r.height - 1)
        memset (row + r.width * job->pixel, 0xff, stride - r.width * job->pixel);
    }
  return TRUE;
}

/* A second pass, from the beginning, is legal if a device failed. */
static void
check_restart (Job *job, const FxRect *r)
{
  const FxRect *region = &job->region;

  if (r->x != region->x || r->y != region->y || ! job->written[0] ||
      job->c->device == FX_DEVICE_CPU)
    return;
  memset (job->written, 0, (gsize) region->width * region->height);
}

static gboolean
write_rect (gpointer data, const FxRect *rect, gconstpointer pixels, gsize stride, GError **error)
{
  Job *job = data;
  const FxRect r = check_rect (job, "write", rect, &job->region, stride);

  if (++job->writes == job->fail_write)
    {
      g_set_error (error, job_error_quark (), 43, "write %d fails", job->writes);
      return FALSE;
    }
  if (job->complaint)
    return TRUE;
  check_restart (job, &r);
  for (int y = 0; y < r.height; y++)
    {
      const gsize to = (gsize) (r.y + y - job->region.y) * job->region.width + r.x - job->region.x;

      memcpy (job->result + to * job->pixel, (const guint8 *) pixels + y * stride,
              r.width * job->pixel);
      for (int x = 0; x < r.width; x++)
        if (job->written[to + x]++)
          complain (job, "pixel %d,%d written twice", r.x + x, r.y + y);
    }
  return TRUE;
}

static gboolean
show_progress (gpointer data, double fraction)
{
  Job *job = data;

  if (g_thread_self () != job->thread)
    complain (job, "progress on another thread");
  if (job->steps == 0 && fraction != 0.0)
    complain (job, "progress begins at %g", fraction);
  if (! (fraction >= 0.0 && fraction <= 1.0) ||
      (fraction < job->fraction && job->c->device == FX_DEVICE_CPU))
    complain (job, "progress of %.17g after %.17g", fraction, job->fraction);
  job->fraction = fraction;
  return ++job->steps != job->cancel;
}

void
job_init (Job *job, const Case *c)
{
  const int rx = reference_radius (c->params.sigma_x, c->params.kernel_size);
  const int ry = reference_radius (c->params.sigma_y, c->params.kernel_size);
  const FxRect r = case_get_region (c);
  const int x0 = MAX (0, r.x - rx);
  const int y0 = MAX (0, r.y - ry);
  const int x1 = MIN (c->width, r.x + r.width + rx);
  const int y1 = MIN (c->height, r.y + r.height + ry);

  *job = (Job) {
    .c = c,
    .region = r,
    .reach = { x0, y0, x1 - x0, y1 - y0 },
    .pixel = fx_format_size (&c->format),
    .source = picture_new (c),
    .written = g_malloc0 ((gsize) r.width * r.height),
    .thread = g_thread_self (),
  };
  job->result = g_malloc0 (r.width * r.height * job->pixel);
}

void
job_clear (Job *job)
{
  g_free (job->source);
  g_free (job->result);
  g_free (job->written);
  g_free (job->complaint);
}

FxImage
job_get_image (Job *job)
{
  const Case *c = job->c;
  const FxRect *r = &job->region;

  return (FxImage) {
    .format = c->format,
    .width = c->width + job->shift_x,
    .height = c->height + job->shift_y,
    .region = { r->x + job->shift_x, r->y + job->shift_y, r->width, r->height },
    .read = read_rect,
    .write = write_rect,
    .progress = job->no_progress ? NULL : show_progress,
    .data = job,
  };
}

gsize
job_get_size (const Job *job)
{
  return (gsize) job->region.width * job->region.height * job->pixel;
}

gboolean
job_run (Job *job, FxEngine *engine, FxReport *report, GError **error)
{
  const Case *c = job->c;
  const FxRect *r = &job->region;
  const FxImage image = job_get_image (job);

  job->reads = job->writes = job->steps = 0;
  job->fraction = 0.0;
  memset (job->written, 0, (gsize) r->width * r->height);
  if (! run_blur (engine, &c->params, c->device, &image, report, error))
    return FALSE;
  for (gsize i = 0; i < (gsize) r->width * r->height; i++)
    if (! job->written[i])
      complain (job, "pixel %d,%d not written", (int) (r->x + i % r->width),
                (int) (r->y + i / r->width));
  if (! job->no_progress && job->fraction != 1.0)
    complain (job, "progress ends at %.17g", job->fraction);
  fingerprint_add (job->result, job_get_size (job));
  return TRUE;
}
