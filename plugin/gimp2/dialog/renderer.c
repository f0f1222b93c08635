#include "renderer.h"

#include "mix.h"
#include "rectangle.h"

#include <glib/gi18n-lib.h>

#define GIVE_WAY     30.0 /* milliseconds; a layer that takes longer gives way to views */
#define LAYER_COPIES 3.0  /* of the result: being made, waiting, being written */

/* The thread's next work, taken from the renderer under its lock. */
typedef struct {
  RendererView *view;
  RendererLayer *layer;
  int changed_y, changed_end;
  const guint8 *mask;
  guint locked;
} Task;

struct Renderer {
  const ApplyTarget *target;
  DrawableCopy *copy;
  RendererFuncs funcs;
  gpointer data;
  FxEngine *engine;   /* used by the thread while it runs */
  FxPreview *preview; /* the same */
  ApplyJob planned;   /* the same: the last job that a plan was made for */
  double layer_milliseconds;
  GThread *thread;
  gint layer_serial, quit; /* atomic */

  GMutex lock; /* protects the fields below */
  GCond wake;
  RendererView *view, *ready_view; /* the request and the result to report, or NULL */
  RendererLayer *layer, *ready_layer;
  guint tell;                 /* the main loop's source, or 0 */
  int changed_y, changed_end; /* changed rows */
  const guint8 *mask;
  guint locked;
};

/* Requests and results. */

static void
view_free (RendererView *view)
{
  if (! view)
    return;
  apply_job_clear (&view->job);
  g_free (view->after);
  g_free (view->before);
  g_free (view->facts);
  g_clear_error (&view->error);
  g_free (view);
}

static void
layer_free (RendererLayer *layer)
{
  if (! layer)
    return;
  apply_job_clear (&layer->job);
  g_free (layer->pixels);
  g_clear_error (&layer->error);
  g_free (layer);
}

/* Reports results, on the main loop. */
static gboolean
renderer_tell (gpointer data)
{
  Renderer *renderer = data;
  RendererView *view;
  RendererLayer *layer;

  g_mutex_lock (&renderer->lock);
  view = g_steal_pointer (&renderer->ready_view);
  layer = g_steal_pointer (&renderer->ready_layer);
  renderer->tell = 0;
  g_mutex_unlock (&renderer->lock);
  if (view)
    renderer->funcs.view_done (renderer->data, view);
  if (layer)
    renderer->funcs.layer_done (renderer->data, layer);
  view_free (view);
  layer_free (layer);
  return G_SOURCE_REMOVE;
}

/* Call this under the lock. Results have the priority of events: a moving pointer makes many
 * events, and drawing must not wait until the last. */
static void
tell_soon (Renderer *renderer)
{
  if (renderer->tell == 0)
    renderer->tell = g_idle_add_full (G_PRIORITY_DEFAULT, renderer_tell, renderer, NULL);
}

static gboolean
is_view_waiting (Renderer *renderer)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&renderer->lock);

  return renderer->view != NULL;
}

/* Plans, on the thread. */

/* Makes job's plan, or takes that of the last job if it had the same settings. A plan that there
 * was no memory for may have room now. */
static void
plan_job (Renderer *renderer, ApplyJob *job)
{
  ApplyJob *last = &renderer->planned;

  if (last->plan && ! last->plan->missing && filter_settings_equal (last->settings, job->settings))
    {
      job->plan = fx_plan_ref (last->plan);
      return;
    }
  apply_job_make_plan (job);
  apply_job_clear (last);
  last->settings = filter_settings_copy (job->settings);
  last->plan = fx_plan_ref (job->plan);
}

/* Views, on the thread. */

/* A view gives way to a newer one; a draft does not. */
static gboolean
go_on_with_view (gpointer data, double fraction)
{
  Renderer *renderer = data;

  return ! g_atomic_int_get (&renderer->quit) && ! is_view_waiting (renderer);
}

static gboolean
go_on_with_draft (gpointer data, double fraction)
{
  Renderer *renderer = data;

  return ! g_atomic_int_get (&renderer->quit);
}

/* Returns the pixels of a view by plan, or NULL with view's error. */
static guint8 *
renderer_render (Renderer *renderer, FxPlan *plan, FxDevice device, RendererView *view)
{
  const FxRect *rect = &view->view.rect;
  guint8 *rgba = g_try_malloc_n ((gsize) rect->width * rect->height, 4);

  if (! rgba)
    fx_set_no_memory (&view->error);
  else if (! fx_preview_render (renderer->preview, plan, device, &view->view, rgba,
                                view->view.draft ? go_on_with_draft : go_on_with_view, renderer,
                                &view->report, &view->error))
    g_clear_pointer (&rgba, g_free);
  return rgba;
}

static void
render_view (Renderer *renderer, RendererView *view)
{
  g_autoptr (FxPlan) identity = fx_plan_new_identity (fx_preview_get_format (renderer->preview));

  if (view->as_it_is)
    view->job.plan = fx_plan_ref (identity);
  else
    {
      plan_job (renderer, &view->job);
      view->facts = filter_settings_describe (view->job.settings, view->job.plan);
    }
  if (view->wants_before)
    view->before = renderer_render (renderer, identity, FX_DEVICE_AUTO, view);
  if (view->wants_after && ! view->error)
    view->after = renderer_render (renderer, view->job.plan, view->job.device, view);
  g_mutex_lock (&renderer->lock);
  view_free (renderer->ready_view);
  renderer->ready_view = view;
  tell_soon (renderer);
  g_mutex_unlock (&renderer->lock);
}

/* The layer, on the thread. */

/* The data of the engine's callbacks. */
typedef struct {
  Renderer *renderer;
  RendererLayer *layer;
  gint64 start; /* when the work began */
} LayerWork;

static gboolean
go_on_with_layer (gpointer data, double fraction)
{
  const LayerWork *work = data;
  Renderer *renderer = work->renderer;
  double milliseconds = (g_get_monotonic_time () - work->start) / 1000.0;

  return ! g_atomic_int_get (&renderer->quit) &&
         g_atomic_int_get (&renderer->layer_serial) == work->layer->serial &&
         ! (MAX (renderer->layer_milliseconds, milliseconds) > GIVE_WAY &&
            is_view_waiting (renderer));
}

static gboolean
read_layer (gpointer data, const FxRect *rect, gpointer pixels, gsize stride, GError **error)
{
  const LayerWork *work = data;
  const ApplyJob *job = &work->layer->job;
  const FxRect moved = rect_move (rect, -job->grow_x, -job->grow_y);

  drawable_copy_get_rect (work->renderer->copy, &moved, pixels, stride);
  return TRUE;
}

static guint8 *
renderer_get_place (const RendererLayer *layer, int x, int y)
{
  const FxImage *image = &layer->job.image;

  return layer->pixels + ((gsize) y * image->width + x) * fx_format_size (&image->format);
}

static gboolean
write_layer (gpointer data, const FxRect *rect, gconstpointer pixels, gsize stride, GError **error)
{
  const RendererLayer *layer = ((const LayerWork *) data)->layer;
  gsize size = fx_format_size (&layer->job.image.format);

  copy_rows (renderer_get_place (layer, rect->x, rect->y), layer->job.image.width * size, pixels,
             stride, rect->width * size, rect->height);
  return TRUE;
}

/* Merges the result as GIMP does, one row at a time. mask is NULL if there is no selection, or if
 * the layer grows. Returns FALSE with FX_ERROR_CANCELLED if the layer is no longer wanted or gives
 * way. */
static gboolean
merge_layer (LayerWork *work, const guint8 *mask, guint locked, GError **error)
{
  const ApplyTarget *target = work->renderer->target;
  const ApplyJob *job = &work->layer->job;
  const FxRect *region = &job->image.region;
  FxRect row = { region->x - job->grow_x, region->y - job->grow_y, region->width, 1 };
  gsize stride = region->width * fx_format_size (&target->format);
  g_autofree guint8 *before = g_try_malloc (stride);

  if (! before)
    return fx_set_no_memory (error);
  for (int y = region->y; y < region->y + region->height; y++, row.y++)
    {
      guint8 *after = renderer_get_place (work->layer, region->x, y);

      if (! go_on_with_layer (work, 1.0))
        return fx_set_error (error, FX_ERROR, FX_ERROR_CANCELLED, "%s", "");
      drawable_copy_get_rect (work->renderer->copy, &row, before, stride);
      if (mask)
        fx_mix (&target->format, target->coverage, before, after,
                mask + (gsize) row.y * target->width + row.x, row.width);
      if (locked)
        fx_restore_channels (&target->format, locked, before, after, row.width);
    }
  return TRUE;
}

/* Copies the drawable, with a transparent border if it grows. Returns FALSE with layer's error if
 * there is not enough memory. */
static gboolean
copy_layer (const Renderer *renderer, RendererLayer *layer)
{
  const FxImage *image = &layer->job.image;
  const FxRect whole = { -layer->job.grow_x, -layer->job.grow_y, image->width, image->height };
  gsize stride = image->width * fx_format_size (&image->format);

  if (drawable_copy_has_room (renderer->copy, LAYER_COPIES * (double) image->height * stride))
    layer->pixels = g_try_malloc_n (image->height, stride);
  if (layer->pixels)
    drawable_copy_get_rect (renderer->copy, &whole, layer->pixels, stride);
  else
    g_set_error (&layer->error, FX_ERROR, FX_ERROR_MEMORY,
                 _ ("There is not enough memory for a preview on the canvas"));
  return layer->pixels != NULL;
}

/* Applies the job to the copy of the layer in work. */
static gboolean
change_layer (LayerWork *work, const Task *task, GError **error)
{
  /* The job may be older than the selection. */
  const ApplyJob *job = &work->layer->job;
  const guint8 *mask = apply_job_grows (job) ? NULL : task->mask;
  FxImage image = job->image;
  FxReport report;

  image.read = read_layer;
  image.write = write_layer;
  image.progress = go_on_with_layer;
  image.data = work;
  if (! fx_engine_run (work->renderer->engine, job->plan, job->device, &image, &report, error))
    return FALSE;
  if ((mask || task->locked) && ! merge_layer (work, mask, task->locked, error))
    return FALSE;
  work->renderer->layer_milliseconds = report.milliseconds;
  return TRUE;
}

/* Renders the task's layer. If it gave way to a view, it is the next request again, unless there is
 * a newer one. */
static void
render_layer (Renderer *renderer, const Task *task)
{
  RendererLayer *layer = task->layer, **place = &renderer->ready_layer;
  LayerWork work = { renderer, layer, g_get_monotonic_time () };

  if (! layer->job.plan) /* it may have given way before */
    plan_job (renderer, &layer->job);
  if (apply_job_check_size (&layer->job, &layer->error) && copy_layer (renderer, layer) &&
      ! layer->as_it_is)
    change_layer (&work, task, &layer->error);
  if (g_error_matches (layer->error, FX_ERROR, FX_ERROR_CANCELLED))
    {
      g_clear_pointer (&layer->pixels, g_free);
      g_clear_error (&layer->error);
      place = &renderer->layer;
    }
  g_mutex_lock (&renderer->lock);
  if (g_atomic_int_get (&renderer->layer_serial) == layer->serial)
    {
      layer_free (*place);
      *place = g_steal_pointer (&layer);
      tell_soon (renderer);
    }
  g_mutex_unlock (&renderer->lock);
  layer_free (layer);
}

/* The thread. */

static gboolean
take_task (Renderer *renderer, Task *task)
{
  g_mutex_lock (&renderer->lock);
  while (! renderer->view && ! renderer->layer && ! g_atomic_int_get (&renderer->quit))
    g_cond_wait (&renderer->wake, &renderer->lock);
  *task = (Task) {
    .view = g_steal_pointer (&renderer->view),
    .changed_y = renderer->changed_y,
    .changed_end = renderer->changed_end,
    .mask = renderer->mask,
    .locked = renderer->locked,
  };
  renderer->changed_y = renderer->changed_end = 0;
  if (! task->view)
    task->layer = g_steal_pointer (&renderer->layer);
  g_mutex_unlock (&renderer->lock);
  return ! g_atomic_int_get (&renderer->quit);
}

static void
renderer_work (Renderer *renderer, const Task *task)
{
  drawable_copy_hold (renderer->copy);
  if (task->changed_end > task->changed_y)
    {
      fx_preview_change (renderer->preview, task->changed_y, task->changed_end - task->changed_y);
      fx_preview_set_mask (renderer->preview, task->mask);
      fx_preview_set_locked (renderer->preview, task->locked);
    }
  if (task->view)
    render_view (renderer, task->view);
  else
    render_layer (renderer, task);
  drawable_copy_release (renderer->copy);
}

static gpointer
renderer_run (gpointer data)
{
  Renderer *renderer = data;
  Task task;

  while (take_task (renderer, &task))
    renderer_work (renderer, &task);
  view_free (task.view);
  layer_free (task.layer);
  return NULL;
}

/* The main thread. */

Renderer *
renderer_new (FxEngine *engine, const ApplyTarget *target, DrawableCopy *copy,
              const RendererFuncs *funcs, gpointer data, GError **error)
{
  Renderer *renderer = g_new0 (Renderer, 1);
  g_autoptr (GError) failure = NULL;

  renderer->engine = engine;
  renderer->target = target;
  renderer->copy = copy;
  renderer->funcs = *funcs;
  renderer->data = data;
  renderer->preview = fx_preview_new (engine, &target->format, target->coverage, target->width,
                                      target->height, drawable_copy_get_pixels (copy));
  g_mutex_init (&renderer->lock);
  g_cond_init (&renderer->wake);
  if (renderer->preview)
    renderer->thread = g_thread_try_new ("preview", renderer_run, renderer, &failure);
  else
    fx_set_no_memory (&failure);
  if (renderer->thread)
    return renderer;
  g_set_error (error, FX_ERROR, FX_ERROR_MEMORY, _ ("There can be no preview: %s"),
               failure->message);
  renderer_free (renderer);
  return NULL;
}

void
renderer_free (Renderer *renderer)
{
  if (! renderer)
    return;
  g_mutex_lock (&renderer->lock);
  g_atomic_int_set (&renderer->quit, TRUE);
  g_cond_signal (&renderer->wake);
  g_mutex_unlock (&renderer->lock);
  if (renderer->thread)
    g_thread_join (renderer->thread);
  if (renderer->tell)
    g_source_remove (renderer->tell);
  view_free (renderer->view);
  view_free (renderer->ready_view);
  layer_free (renderer->layer);
  layer_free (renderer->ready_layer);
  fx_preview_free (renderer->preview);
  apply_job_clear (&renderer->planned);
  g_mutex_clear (&renderer->lock);
  g_cond_clear (&renderer->wake);
  g_free (renderer);
}

void
renderer_change (Renderer *renderer, int y, int rows)
{
  g_mutex_lock (&renderer->lock);
  if (renderer->changed_end > renderer->changed_y)
    {
      rows = MAX (renderer->changed_end, y + rows);
      y = MIN (renderer->changed_y, y);
      rows -= y;
    }
  renderer->changed_y = y;
  renderer->changed_end = y + rows;
  renderer->mask = drawable_copy_get_mask (renderer->copy);
  renderer->locked = drawable_copy_get_locked (renderer->copy);
  g_mutex_unlock (&renderer->lock);
}

void
renderer_request_view (Renderer *renderer, const RendererView *view)
{
  g_mutex_lock (&renderer->lock);
  view_free (renderer->view);
  renderer->view = g_memdup2 (view, sizeof *view);
  g_cond_signal (&renderer->wake);
  g_mutex_unlock (&renderer->lock);
}

void
renderer_request_layer (Renderer *renderer, const RendererLayer *layer)
{
  gint serial = g_atomic_int_add (&renderer->layer_serial, 1) + 1;

  g_mutex_lock (&renderer->lock);
  g_clear_pointer (&renderer->layer, layer_free);
  g_clear_pointer (&renderer->ready_layer, layer_free);
  if (layer)
    {
      renderer->layer = g_memdup2 (layer, sizeof *layer);
      renderer->layer->serial = serial;
    }
  g_cond_signal (&renderer->wake);
  g_mutex_unlock (&renderer->lock);
}
