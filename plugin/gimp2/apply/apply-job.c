#include "apply-job.h"

#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>
#include <string.h>

void
apply_job_init (ApplyJob *job, const ApplyTarget *target, const FilterSettings *settings)
{
  const FxGeometry geometry = { .width = target->width, .height = target->height };
  int x, y;

  memset (job, 0, sizeof *job);
  job->settings = filter_settings_copy (settings);
  job->image.format = target->format;
  if (target->coverage)
    job->image.format.gamma = FALSE;
  job->device = filter_settings_get_device (settings);
  filter_settings_get_growth (settings, &geometry, &x, &y);
  if ((x > 0 || y > 0) && apply_target_can_grow (target))
    {
      job->grow_x = x;
      job->grow_y = y;
      filter_settings_set_grown (job->settings);
    }
  job->coverage = target->coverage;
  job->image.x = -job->grow_x;
  job->image.y = -job->grow_y;
  job->image.width = target->width + 2 * job->grow_x;
  job->image.height = target->height + 2 * job->grow_y;
}

void
apply_job_make_plan (ApplyJob *job)
{
  const FxGeometry geometry = { .width = job->image.width - 2 * job->grow_x,
                                .height = job->image.height - 2 * job->grow_y };

  job->plan = filter_settings_make_plan (job->settings, &job->image.format, &geometry,
                                         job->coverage);
}

void
apply_job_clear (ApplyJob *job)
{
  g_clear_pointer (&job->settings, filter_settings_free);
  g_clear_pointer (&job->plan, fx_plan_free);
}

gboolean
apply_job_grows (const ApplyJob *job)
{
  return job->grow_x > 0 || job->grow_y > 0;
}

gboolean
apply_job_check_size (const ApplyJob *job, GError **error)
{
  int most = GIMP_MAX_IMAGE_SIZE, width = job->image.width, height = job->image.height;

  return (width <= most && height <= most) ||
         fx_set_error (
           error, APPLY_ERROR, APPLY_ERROR_REFUSED,
           _ ("grow would make the layer %d x %d pixels, but it must be at most %d x %d"), width,
           height, most, most);
}
