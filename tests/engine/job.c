#include "job.h"
#include "fingerprint.h"
#include "reference.h"
#include "run.h"
#include "tested.h"

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

/* Checks that it lies within the image, and that its rows do not overlap. */
static void
check_rect (Job *job, const char *what, const FxRect *r, gsize stride)
{
  if (g_thread_self () != job->thread)
    complain (job, "%s on another thread", what);
  if (r->width < 1 || r->height < 1 || r->x < 0 || r->y < 0 || r->x + r->width > job->width ||
      r->y + r->height > job->height)
    complain (job, "%s of %dx%d at %d,%d, outside the image", what, r->width, r->height, r->x,
              r->y);
  if (r->height > 1 && stride < r->width * job->pixel)
    complain (job, "%s with a stride of %" G_GSIZE_FORMAT " bytes for %d pixels", what, stride,
              r->width);
}

/* Fills the gap behind each row too, with bytes that are NaN or white: they must not matter. */
static gboolean
read_rect (gpointer data, const FxRect *r, gpointer pixels, gsize stride, GError **error)
{
  Job *job = data;

  check_rect (job, "read", r, stride);
  if (++job->reads == job->fail_read)
    {
      g_set_error (error, job_error_quark (), 42, "read %d fails", job->reads);
      return FALSE;
    }
  for (int y = 0; ! job->complaint && y < r->height; y++)
    {
      guint8 *row = (guint8 *) pixels + y * stride;

      memcpy (row, job->source + ((gsize) (r->y + y) * job->width + r->x) * job->pixel,
              r->width * job->pixel);
      if (y < r->height - 1)
        memset (row + r->width * job->pixel, 0xff, stride - r->width * job->pixel);
    }
  return TRUE;
}

/* A second pass, from the beginning, is legal if a device failed. */
static void
check_restart (Job *job, const FxRect *r)
{
  if (r->x == 0 && r->y == 0 && job->device != FX_DEVICE_CPU)
    memset (job->written, 0, (gsize) job->width * job->height);
}

static gboolean
write_rect (gpointer data, const FxRect *r, gconstpointer pixels, gsize stride, GError **error)
{
  Job *job = data;

  check_rect (job, "write", r, stride);
  if (++job->writes == job->fail_write)
    {
      g_set_error (error, job_error_quark (), 43, "write %d fails", job->writes);
      return FALSE;
    }
  if (job->complaint)
    return TRUE;
  check_restart (job, r);
  for (int y = 0; y < r->height; y++)
    {
      const gsize to = (gsize) (r->y + y) * job->width + r->x;

      memcpy (job->result + to * job->pixel, (const guint8 *) pixels + y * stride,
              r->width * job->pixel);
      for (int x = 0; x < r->width; x++)
        if (job->written[to + x]++)
          complain (job, "pixel %d,%d written twice", r->x + x, r->y + y);
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
      (fraction < job->fraction && job->device == FX_DEVICE_CPU))
    complain (job, "progress of %.17g after %.17g", fraction, job->fraction);
  job->fraction = fraction;
  return ++job->steps != job->cancel;
}

/* Colours anywhere in the range, alpha never nearly nothing. */
static guint8 *
make_noise (const FxFormat *format, gsize samples)
{
  guint8 *noise = g_malloc (samples * fx_sample_size (format->sample));

  for (gsize i = 0; i < samples; i++)
    {
      const gboolean alpha = format->channels % 2 == 0 && (i + 1) % format->channels == 0;

      reference_encode (format->sample, g_test_rand_double_range (alpha ? 0.3 : 0.0, 1.0), noise,
                        i);
    }
  return noise;
}

/* With memory of its own for all but the source. */
static void
allocate (Job *job)
{
  job->result = g_malloc0 (job_get_size (job));
  job->written = g_malloc0 ((gsize) job->width * job->height);
  job->thread = g_thread_self ();
}

void
job_init (Job *job, FxFormat format, int width, int height, double sigma_x, double sigma_y)
{
  *job = (Job) { .format = format,
                 .width = width,
                 .height = height,
                 .params = { .sigma_x = sigma_x, .sigma_y = sigma_y },
                 .device = tested_device (),
                 .pixel = fx_format_size (&format),
                 .source = make_noise (&format, (gsize) width * height * format.channels) };
  allocate (job);
}

void
job_init_copy (Job *job, const Job *other)
{
  *job = (Job) { .format = other->format,
                 .width = other->width,
                 .height = other->height,
                 .params = other->params,
                 .device = other->device,
                 .pixel = other->pixel,
                 .source = g_memdup2 (other->source, job_get_size (other)) };
  allocate (job);
}

void
job_clear (Job *job)
{
  g_free (job->source);
  g_free (job->result);
  g_free (job->written);
  g_free (job->complaint);
}

gsize
job_get_size (const Job *job)
{
  return (gsize) job->width * job->height * job->pixel;
}

gboolean
job_run (Job *job, FxEngine *engine, FxReport *report, GError **error)
{
  const gsize pixels = (gsize) job->width * job->height;
  const FxImage image = { .format = job->format,
                          .width = job->width,
                          .height = job->height,
                          .region = { 0, 0, job->width, job->height },
                          .read = read_rect,
                          .write = write_rect,
                          .progress = job->no_progress ? NULL : show_progress,
                          .data = job };

  job->reads = job->writes = job->steps = 0;
  job->fraction = 0.0;
  memset (job->written, 0, pixels);
  if (! run_blur (engine, &job->params, job->device, &image, report, error))
    return FALSE;
  for (gsize i = 0; i < pixels; i++)
    if (! job->written[i])
      complain (job, "pixel %d,%d not written", (int) (i % job->width), (int) (i / job->width));
  if (! job->no_progress && job->fraction != 1.0)
    complain (job, "progress ends at %.17g", job->fraction);
  fingerprint_add (job->result, job_get_size (job));
  return TRUE;
}

void
job_check (Job *job)
{
  g_autoptr (GError) error = NULL;

  job_run (job, tested_engine (), NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (job->complaint, ==, NULL);
}
