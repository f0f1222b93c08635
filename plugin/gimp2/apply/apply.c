#include "apply.h"

#include "apply-grow.h"
#include "apply-map.h"
#include "apply-merge.h"
#include "apply-callbacks.h"
#include "lock.h"
#include "rectangle.h"
#include "trace.h"

#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>

/* A layer that keeps its size. */

static gboolean
apply_in_place (FxEngine *engine, const ApplyTarget *target, const ApplyJob *job, FxReport *report,
                GError **error)
{
  ApplyCallbacks callbacks;
  gint64 start;
  gboolean done;

  apply_callbacks_init (&callbacks, target, job);
  done = apply_callbacks_run (&callbacks, engine, report, error);
  start = g_get_monotonic_time ();
  if (! done)
    tiles_free_shadow (callbacks.tiles);
  done = done && apply_merge (target, &callbacks.tiles, &job->image.region, FALSE, error);
  if (done)
    apply_callbacks_trace (&callbacks, start);
  apply_callbacks_clear (&callbacks);
  return done;
}

/* Both kinds. */

/* Sets region to the part of the drawable that job changes: the selected part, or all of it.
 * Returns FALSE if there is none, and FALSE with error if GIMP refuses to answer. */
static gboolean
find_region (const ApplyTarget *target, const ApplyJob *job, FxRect *region, GError **error)
{
  if (job->plan->identity || ! apply_get_selected (target, region, error) || rect_is_empty (region))
    return FALSE;
  if (apply_job_grows (job))
    *region = (FxRect) { 0, 0, job->image.width, job->image.height };
  return TRUE;
}

/* Makes the plan again with the map, if there is one: reading it may take longer than the rest. */
static gboolean
add_map (ApplyJob *job, gint32 map, gint32 drawable, GError **error)
{
  if (! filter_settings_get_filter (job->settings)->map.label)
    return TRUE;
  if (! apply_map_read (job->settings, map, drawable, error))
    return FALSE;
  g_clear_pointer (&job->plan, fx_plan_free);
  apply_job_make_plan (job);
  return TRUE;
}

static gboolean
filter_drawable (FxEngine *engine, gint32 drawable, gint32 map, const FilterSettings *settings,
                 gint64 since, GError **error)
{
  g_auto (ApplyJob) job = { 0 };
  ApplyTarget target;
  FxReport report;
  GError *failure = NULL;
  FxRect *region = &job.image.region;
  gboolean done;

  if (! apply_target_init (&target, drawable, error))
    return FALSE;
  apply_job_init (&job, &target, settings);
  apply_job_make_plan (&job);
  if (! find_region (&target, &job, region, &failure))
    {
      if (failure)
        g_propagate_error (error, failure);
      return ! failure;
    }
  if (! add_map (&job, map, drawable, error))
    return FALSE;
  gimp_progress_init (_ (filter_settings_get_filter (settings)->title));
  done = (apply_job_grows (&job) ? apply_grown : apply_in_place) (engine, &target, &job, &report,
                                                                  error);
  gimp_progress_end ();
  if (done && target.no_curve && job.plan->codec.curve != FX_CURVE_NONE)
    gimp_message (_ ("Linear light is that of sRGB's curve, because the image's colour profile "
                     "has no tone curve that all channels share"));
  if (done)
    fx_trace ("filter", since,
              (gsize) region->width * region->height * fx_format_size (&target.format),
              "%dx%d %s %s", region->width, region->height, target.encoding, report.device_name);
  return done;
}

/* Two filters would write to the same shadow, as a drawable has only one. The user can cancel the
 * wait. */
static int
take_drawable (gint32 drawable)
{
  int lock = lock_take (LOCK_DRAWABLE (drawable), FALSE);

  if (lock != -1)
    return lock;
  gimp_progress_init (_ ("Waiting for another filter on this layer"));
  return lock_take (LOCK_DRAWABLE (drawable), TRUE);
}

gboolean
apply_filter (FxEngine *engine, gint32 drawable, gint32 map, const FilterSettings *settings,
              gint64 since, GError **error)
{
  gboolean done;
  int lock;

  /* GIMP's message for a call that fails is part of our own error, or does not matter. */
  gimp_plugin_set_pdb_error_handler (GIMP_PDB_ERROR_HANDLER_PLUGIN);
  lock = take_drawable (drawable);
  done = filter_drawable (engine, drawable, map, settings, since, error);
  lock_free (lock);
  return done;
}
