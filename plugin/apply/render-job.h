/* What is to be made of a target. The engine is given a plan here and nowhere else. All but
 * render_job_init are for any thread, one at a time. */
#ifndef RENDER_JOB_H
#define RENDER_JOB_H

#include "filter.h"
#include "preview.h"
#include "render-target.h"

G_BEGIN_DECLS

typedef struct {
  FilterSettings *settings;
  FxPlan *plan;
  FxDevice device;
  FxImage image;      /* all but its region and its callbacks */
  int grow_x, grow_y; /* transparent pixels added on each side: where the drawable's 0, 0 lies */
} RenderJob;

/* settings: copied; they must have passed filter_settings_check. Clear it with render_job_clear. */
void render_job_init (RenderJob *job, const RenderTarget *target, const FilterSettings *settings);
void render_job_clear (RenderJob *job);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (RenderJob, render_job_clear)

/* Whether the drawable is enlarged. */
gboolean render_job_grows (const RenderJob *job);

/* FALSE with error if GIMP cannot enlarge a layer as job says. */
gboolean render_job_check_size (const RenderJob *job, GError **error);

/* As fx_engine_run. image: job's, with a region and callbacks. */
gboolean render_job_run (const RenderJob *job, FxEngine *engine, const FxImage *image,
                         FxReport *report, GError **error);

/* As fx_preview_render. job NULL: the drawable as it is. */
gboolean render_job_show (const RenderJob *job, FxPreview *preview, const FxView *view,
                          guint8 *rgba, FxProgressFunc progress, gpointer data,
                          FxViewReport *report, GError **error);

G_END_DECLS

#endif
