/* A job: a filter's settings, prepared for a target. All plans for the engine are made here. A job
 * may be used on any thread, by one at a time; render_job_init is for the main thread only. A plan
 * may take 10 ms, so it is made by itself. */
#pragma once

#include "filter.h"
#include "render-target.h"

typedef struct {
  FilterSettings *settings;
  FxPlan *plan; /* NULL until render_job_make_plan */
  FxDevice device;
  FxImage image;      /* everything but its region and its callbacks */
  gboolean coverage;  /* the target's */
  int grow_x, grow_y; /* transparent pixels added on each side */
} RenderJob;

/* Fills job for target. settings must have passed filter_settings_check, and are copied. Clear the
 * job with render_job_clear. */
void render_job_init (RenderJob *job, const RenderTarget *target, const FilterSettings *settings);
void render_job_make_plan (RenderJob *job);
void render_job_clear (RenderJob *job);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (RenderJob, render_job_clear)

/* Returns whether the job enlarges the drawable. */
gboolean render_job_grows (const RenderJob *job);

/* Returns FALSE with RENDER_ERROR_REFUSED if the enlarged layer would exceed GIMP's largest
 * size. */
gboolean render_job_check_size (const RenderJob *job, GError **error);
