#include "check.h"
#include "compare.h"
#include "tested.h"

/* How many of the samples must be equal. */
static double
get_quota (FxSample sample)
{
  return sample == FX_SAMPLE_U8 ? 0.99 : sample == FX_SAMPLE_U16 ? 0.5 : 0.0;
}

void
check_pixels (const Job *job)
{
  const Case *c = job->c;
  const FxRect *r = &job->region;
  const Verdict v = compare (c, job->source, job->result);
  const gsize pixel = v.place / c->format.channels;

  if (v.worst > 1.0)
    case_fail (c,
               "%.3f times the bound at %d,%d channel %d: expected %.9g, got %.9g; "
               "%" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " samples equal",
               v.worst, (int) (r->x + pixel % r->width), (int) (r->y + pixel / r->width),
               (int) (v.place % c->format.channels), v.expected, v.got, v.equal, v.compared);
  else if (v.compared >= 1000 && v.equal < get_quota (c->format.sample) * v.compared)
    case_fail (c,
               "only %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " samples equal, worst %.3f "
               "times the bound",
               v.equal, v.compared, v.worst);
}

static void
check_report (const Case *c, const FxReport *report)
{
  /* A comparison of no samples must not count as passed. */
  const FxDevice asked = case_is_identity (c) ? FX_DEVICE_AUTO : c->device;

  if (asked != FX_DEVICE_AUTO && report->device != asked)
    case_fail (c, "device %d did it, asked for was %d", report->device, asked);
  if (asked != FX_DEVICE_AUTO && report->fallback[0])
    case_fail (c, "fallback says \"%s\"", report->fallback);
  if (! report->device_name[0])
    case_fail (c, "the device has no name");
  if (! (report->milliseconds >= 0.0 && report->milliseconds < 1e6))
    case_fail (c, "it took %g ms", report->milliseconds);
}

static void
check_identity (const Job *job)
{
  const FxRect *r = &job->region;

  for (int y = 0; y < r->height; y++)
    if (memcmp (job->result + (gsize) y * r->width * job->pixel,
                job->source + ((gsize) (r->y + y) * job->c->width + r->x) * job->pixel,
                r->width * job->pixel) != 0)
      {
        case_fail (job->c, "row %d is not as it was", r->y + y);
        return;
      }
}

void
check_job (Job *job)
{
  const Case *c = job->c;
  g_autoptr (GError) error = NULL;
  FxReport report;

  if (! job_run (job, tested_engine (), &report, &error))
    case_fail (c, "error: %s", error->message);
  else if (job->complaint)
    case_fail (c, "%s", job->complaint);
  else
    {
      check_report (c, &report);
      if (case_is_identity (c))
        check_identity (job);
      else
        check_pixels (job);
    }
}

void
check_case (const Case *c)
{
  g_auto (Job) job = { 0 };

  job_init (&job, c);
  check_job (&job);
}

void
check_refusal (const GError *error, const char *name, const char *value)
{
  g_autofree char *message = NULL;

  g_assert_error (error, FX_ERROR, FX_ERROR_ARGUMENT);
  message = g_utf8_strdown (error->message, -1);
  if (! strstr (message, name) || (value && ! strstr (message, value)))
    {
      g_test_message ("no \"%s\" with \"%s\" in: %s", name, value, error->message);
      g_test_fail ();
    }
}
