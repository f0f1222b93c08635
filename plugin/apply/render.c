#include "render-traffic.h"

#include "lock.h"
#include "rect.h"
#include "trace.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>
#include <string.h>
#include <unistd.h>

/* Microseconds. A check takes three messages, which is 1% of that time, and a hand that changes
 * something does so, most likely, while the engine computes: the next check is before the tiles. */
#define CHECK_INTERVAL    20000
#define PROGRESS_INTERVAL 40000

/* What GIMP says. */

gboolean
render_fail_gimp (GError **error)
{
  g_set_error_literal (error, RENDER_ERROR, RENDER_ERROR_GIMP, gimp_get_pdb_error ());
  return FALSE;
}

/* Pixels in and out. */

void
render_meter_add (RenderMeter *meter, gint64 since, gsize bytes)
{
  meter->microseconds += g_get_monotonic_time () - since;
  meter->bytes += bytes;
}

static gsize
get_bytes (const RenderTraffic *traffic, const FxRect *rect)
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

/* Outside the drawable there are zeros, which is what a layer is enlarged by. */
static gboolean
read_pixels (gpointer data, const FxRect *rect, gpointer pixels, gsize stride, GError **error)
{
  RenderTraffic *traffic = data;
  gint64 start = g_get_monotonic_time ();
  const FxRect moved = { rect->x - traffic->plan->grow_x, rect->y - traffic->plan->grow_y,
                         rect->width, rect->height };

  if (! check_target (traffic, error))
    return FALSE;
  tiles_read (traffic->tiles, &moved, pixels, stride);
  render_meter_add (&traffic->read, start, get_bytes (traffic, rect));
  return TRUE;
}

static gboolean
write_shadow (gpointer data, const FxRect *rect, gconstpointer pixels, gsize stride, GError **error)
{
  RenderTraffic *traffic = data;
  gint64 start = g_get_monotonic_time ();

  if (! check_target (traffic, error))
    return FALSE;
  tiles_write (traffic->tiles, rect, &traffic->plan->image.region, pixels, stride);
  render_meter_add (&traffic->write, start, get_bytes (traffic, rect));
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
                       _("A temporary file cannot be written: %s"), g_strerror (errno));
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
                     ((off_t) (rect->y + y) * traffic->plan->image.width + rect->x) * (off_t) pixel,
                     error))
      return FALSE;
  return TRUE;
}

/* GIMP's own Cancel kills the process, so there is nothing to ask here. More updates than a person
 * sees would only take time. */
static gboolean
show_progress (gpointer data, double fraction)
{
  RenderTraffic *traffic = data;
  gint64 now = g_get_monotonic_time ();

  if (now - traffic->shown < PROGRESS_INTERVAL)
    return TRUE;
  gimp_progress_update (fraction);
  traffic->shown = now;
  return TRUE;
}

/* Traffic. */

void
render_traffic_init (RenderTraffic *traffic, const RenderTarget *target, const RenderPlan *plan)
{
  *traffic = (RenderTraffic) { .target = target,
                               .plan = plan,
                               .file = -1,
                               .shown = g_get_monotonic_time (),
                               .checked = g_get_monotonic_time () };
  /* Chunks of a grown layer's rows do not start where the drawable's tiles do. */
  traffic->tiles = tiles_open_as (target->drawable, target->width, target->height,
                                  fx_format_size (&target->format), plan->grow_y > 0);
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
  FxImage image = traffic->plan->image;
  g_autoptr (FxPlan) plan = NULL;

  image.read = read_pixels;
  image.write = traffic->file == -1 ? write_shadow : write_file;
  image.progress = show_progress;
  image.data = traffic;
  plan = blur_plan_new (&traffic->plan->params, &image.format, error);
  return plan && fx_engine_run (engine, plan, (FxDevice) traffic->plan->params.device, &image,
                                report, error);
}

/* Merging. */

static gboolean
give_up (const RenderTarget *target, RenderError code, const char *format, GError **error)
{
  g_autofree char *name = gimp_item_get_name (target->drawable);

  g_set_error (error, RENDER_ERROR, (int) code, format, name);
  return FALSE;
}

/* What of the drawable is selected; empty if nothing is. */
static gboolean
get_selected (const RenderTarget *target, FxRect *rect, GError **error)
{
  if (gimp_drawable_mask_intersect (target->drawable, &rect->x, &rect->y, &rect->width,
                                    &rect->height))
    return TRUE;
  *rect = (FxRect) { 0 };
  return gimp_get_pdb_status () == GIMP_PDB_SUCCESS ||
         (render_target_check (target, error) && render_fail_gimp (error));
}

/* GIMP merges what is selected then, and what of that was not written is empty in the shadow. Where
 * it is what was written, nothing has moved; where it is less, the target may be another as well.
 */
static gboolean
check_selected (const RenderTarget *target, const FxRect *selected, const FxRect *written,
                gboolean all, GError **error)
{
  if (rect_equal (selected, written))
    return TRUE;
  if (! all && rect_contains (written, selected))
    return render_target_check (target, error);
  return give_up (
    target, RENDER_ERROR_CHANGED,
    _("The selection was changed during the blur of '%s', which was therefore given up"), error);
}

static gboolean
check_shadow (const RenderTarget *target, Tiles *tiles, GError **error)
{
  return tiles_check_shadow (tiles) ||
         give_up (target, RENDER_ERROR_CHANGED,
                  _("Another command or filter changed '%s' during the blur, which was therefore "
                    "given up"),
                  error);
}

/* All gets through to a layer that grows, where its alpha is not held. */
static gboolean
check_alpha (const RenderTarget *target, GError **error)
{
  return target->coverage || render_target_can_change_alpha (target) ||
         render_fail_grow (target, error);
}

/* GIMP does not merge into what is locked, and says so itself where there is nothing better to say.
 */
static gboolean
merge (const RenderTarget *target, GError **error)
{
  g_autofree char *words = NULL;
  RenderTarget now;

  if (gimp_drawable_merge_shadow (target->drawable, TRUE))
    return TRUE;
  words = g_strdup (gimp_get_pdb_error ());
  if (render_target_check (target, error) && render_target_init (&now, target->drawable, error))
    g_set_error_literal (error, RENDER_ERROR, RENDER_ERROR_GIMP, words);
  return FALSE;
}

/* A hand may come in between any two messages, thus before that of the merge too, which is seen
 * only after it. */
static gboolean
check_merged (const RenderTarget *target, const FxRect *selected, GError **error)
{
  FxRect now;

  if (! get_selected (target, &now, NULL) || rect_equal (&now, selected))
    return TRUE;
  return give_up (target, RENDER_ERROR_LATE,
                  _("The selection or the size of '%s' was changed while the blur was put into it: "
                    "undo this step if something is missing"),
                  error);
}

gboolean
render_merge (const RenderTarget *target, Tiles **tiles, const FxRect *written, gboolean all,
              GError **error)
{
  gint32 drawable = target->drawable;
  FxRect selected;
  gboolean done;

  tiles_flush (*tiles);
  /* What is changed most easily is asked for last. */
  done = render_target_check (target, error) && (! all || check_alpha (target, error)) &&
         check_shadow (target, *tiles, error) && get_selected (target, &selected, error) &&
         check_selected (target, &selected, written, all, error) && merge (target, error);
  if (! done)
    tiles_free_shadow (*tiles);
  g_clear_pointer (tiles, tiles_close);
  if (! done)
    return FALSE;
  done = check_merged (target, &selected, error);
  gimp_drawable_update (drawable, written->x, written->y, written->width, written->height);
  return done;
}

void
render_traffic_trace (const RenderTraffic *traffic, gint64 merge)
{
  gint64 now = g_get_monotonic_time ();

  fx_trace ("read", now - traffic->read.microseconds, traffic->read.bytes, NULL);
  fx_trace ("write", now - traffic->write.microseconds, traffic->write.bytes, NULL);
  fx_trace ("merge", merge, traffic->write.bytes, NULL);
}

/* A layer in place. */

static gboolean
render_in_place (FxEngine *engine, const RenderTarget *target, const RenderPlan *plan,
                 FxReport *report, GError **error)
{
  RenderTraffic traffic;
  gint64 start;
  gboolean done;

  render_traffic_init (&traffic, target, plan);
  done = render_traffic_run (&traffic, engine, report, error);
  start = g_get_monotonic_time ();
  if (! done)
    tiles_free_shadow (traffic.tiles);
  done = done && render_merge (target, &traffic.tiles, &plan->image.region, FALSE, error);
  if (done)
    render_traffic_trace (&traffic, start);
  render_traffic_clear (&traffic);
  return done;
}

/* Either. */

static gboolean
is_grown (const RenderPlan *plan)
{
  return plan->grow_x > 0 || plan->grow_y > 0;
}

/* Sets region to the part of the drawable that a blur changes: that under the selection, or all of
 * it. FALSE if there is none; then with error set if GIMP would not say. */
static gboolean
find_region (const RenderTarget *target, const RenderPlan *plan, FxRect *region, GError **error)
{
  g_autoptr (FxPlan) made = blur_plan_new (&plan->params, &plan->image.format, error);

  if (! made || made->identity || ! get_selected (target, region, error) || region->width == 0)
    return FALSE;
  if (is_grown (plan))
    *region = (FxRect) { 0, 0, plan->image.width, plan->image.height };
  return TRUE;
}

static gboolean
blur (FxEngine *engine, gint32 drawable, const RenderSettings *settings, gint64 since,
      GError **error)
{
  RenderTarget target;
  RenderPlan plan;
  FxReport report;
  GError *failure = NULL;
  FxRect *region = &plan.image.region;
  gboolean done;

  if (! render_target_init (&target, drawable, error))
    return FALSE;
  render_plan_init (&plan, &target, settings);
  if (! find_region (&target, &plan, region, &failure))
    {
      if (failure)
        g_propagate_error (error, failure);
      return ! failure;
    }
  gimp_progress_init (_("Gaussian Blur (CUDA)"));
  done = (is_grown (&plan) ? render_grown : render_in_place) (engine, &target, &plan, &report,
                                                              error);
  gimp_progress_end ();
  if (done)
    fx_trace ("blur", since,
              (gsize) region->width * region->height * fx_format_size (&target.format),
              "%dx%d %s %s", region->width, region->height, target.encoding, report.device_name);
  return done;
}

/* A drawable has one shadow, which two blurs would both write. Waiting can be cancelled. */
static int
take_drawable (gint32 drawable)
{
  int lock = lock_take (LOCK_DRAWABLE (drawable), FALSE);

  if (lock != -1)
    return lock;
  gimp_progress_init (_("Waiting for another blur of this layer"));
  return lock_take (LOCK_DRAWABLE (drawable), TRUE);
}

gboolean
render_blur (FxEngine *engine, gint32 drawable, const RenderSettings *settings, gint64 since,
             GError **error)
{
  gboolean done;
  int lock;

  if (! blur_params_check (&settings->params, error))
    return FALSE;
  /* What GIMP says to a call that fails is in our own error, or does not matter. */
  gimp_plugin_set_pdb_error_handler (GIMP_PDB_ERROR_HANDLER_PLUGIN);
  lock = take_drawable (drawable);
  done = blur (engine, drawable, settings, since, error);
  lock_free (lock);
  return done;
}
