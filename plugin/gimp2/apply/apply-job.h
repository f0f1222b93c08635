/* A job: a filter's settings, prepared for a target. All plans for the engine are made here. A job
 * may be used on any thread, by one at a time; apply_job_init is for the main thread only. A plan
 * may take 10 ms, so it is made by itself. */
#pragma once

#include "apply-target.h"
#include "filter.h"

typedef struct {
  FilterSettings *settings;
  FxPlan *plan; /* NULL until apply_job_make_plan */
  FxDevice device;
  FxImage image;      /* everything but its region and its callbacks */
  gboolean coverage;  /* the target's */
  int grow_x, grow_y; /* transparent pixels added on each side */
} ApplyJob;

/* Fills job for target. settings must have passed filter_settings_check, and are copied. Clear the
 * job with apply_job_clear. */
void apply_job_init (ApplyJob *job, const ApplyTarget *target, const FilterSettings *settings);
void apply_job_make_plan (ApplyJob *job);
void apply_job_clear (ApplyJob *job);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ApplyJob, apply_job_clear)

/* Returns whether the job enlarges the drawable. */
gboolean apply_job_grows (const ApplyJob *job);

/* Returns FALSE with APPLY_ERROR_REFUSED if the enlarged layer would exceed GIMP's largest
 * size. */
gboolean apply_job_check_size (const ApplyJob *job, GError **error);
