#include "renderer.h"

#include "mix.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define GIVE_WAY     30.0 /* milliseconds; a layer that takes longer gives way to views */
#define LAYER_COPIES 3.0  /* of the result: being made, waiting, being written */

/* A view or a layer in progress; the data of the engine's callbacks. */
typedef struct {
  Renderer *renderer;
  gint serial;      /* of the request */
  gint64 start;     /* when the work began */
  gboolean certain; /* must not be cancelled */
  guint8 *pixels;   /* of a layer */
  const RenderJob *job;
} Rendering;

/* The thread's next work, taken from the renderer under its lock. */
typedef struct {
  RendererView *view;
  RendererLayer *layer;
  gint view_serial, layer_serial;
  int changed_y, changed_end;
  const guint8 *mask;
  guint locked;
} Task;

struct Renderer {
  const RenderTarget *target;
  DrawableCopy *copy;
  RendererFuncs funcs;
  gpointer data;
  FxEngine *engine;   /* used by the thread while it runs */
  FxPreview *preview; /* the same */
  double layer_milliseconds;
  GThread *thread;
  gint view_serial, layer_serial, quit; /* atomic */

  GMutex lock; /* protects the fields below */
  GCond wake;
  RendererView *view; /* the request, or NULL */
  RendererLayer *layer;
  RendererViewResult *view_result; /* the result to report, or NULL */
  RendererLayerResult *layer_result;
  guint tell;                 /* the main loop's source, or 0 */
  int changed_y, changed_end; /* changed rows */
  const guint8 *mask;
  guint locked;
};

/* Requests. */

static void
view_free (RendererView *view)
{
  if (! view)
    return;
  render_job_clear (&view->job);
  g_free (view);
}

static void
layer_free (RendererLayer *layer)
{
  if (! layer)
    return;
  render_job_clear (&layer->job);
  g_free (layer);
}

/* Results. */

static void
view_result_free (RendererViewResult *result)
{
  if (! result)
    return;
  render_job_clear (&result->request.job);
  g_free (result->after);
  g_free (result->before);
  g_clear_error (&result->error);
  g_free (result);
}

static void
layer_result_free (RendererLayerResult *result)
{
  if (! result)
    return;
  render_job_clear (&result->request.job);
  g_free (result->pixels);
  g_clear_error (&result->error);
  g_free (result);
}

/* Reports results, on the main loop. */
static gboolean
renderer_tell (gpointer data)
{
  Renderer *renderer = data;
  RendererViewResult *view;
  RendererLayerResult *layer;

  g_mutex_lock (&renderer->lock);
  view = g_steal_pointer (&renderer->view_result);
  layer = g_steal_pointer (&renderer->layer_result);
  renderer->tell = 0;
  g_mutex_unlock (&renderer->lock);
  if (view)
    renderer->funcs.view_done (renderer->data, view);
  if (layer)
    renderer->funcs.layer_done (renderer->data, layer);
  view_result_free (view);
  layer_result_free (layer);
  return G_SOURCE_REMOVE;
}

/* Takes ownership of the result that is not NULL. serial is that of its request. Results have the
 * priority of events: a moving pointer makes many events, and drawing must not wait until the
 * last. */
static void
hand_over (Renderer *renderer, RendererViewResult *view, RendererLayerResult *layer, gint serial)
{
  g_mutex_lock (&renderer->lock);
  if (view)
    {
      view_result_free (renderer->view_result);
      renderer->view_result = view;
    }
  if (layer && serial != g_atomic_int_get (&renderer->layer_serial)) /* the request was replaced */
    layer_result_free (layer);
  else if (layer)
    {
      layer_result_free (renderer->layer_result);
      renderer->layer_result = layer;
    }
  if (renderer->tell == 0)
    renderer->tell = g_idle_add_full (G_PRIORITY_DEFAULT, renderer_tell, renderer, NULL);
  g_mutex_unlock (&renderer->lock);
}

/* Views, on the thread. */

static gboolean
go_on_with_view (gpointer data, double fraction)
{
  const Rendering *work = data;

  return ! g_atomic_int_get (&work->renderer->quit) &&
         (work->certain || g_atomic_int_get (&work->renderer->view_serial) == work->serial);
}

/* Returns the pixels of a view, or NULL with error. If job is NULL, renders the drawable as it
 * is. */
static guint8 *
renderer_render (Renderer *renderer, const FxView *view, const RenderJob *job, gint serial,
                 FxViewReport *report, GError **error)
{
  Rendering work = { .renderer = renderer, .serial = serial, .certain = view->draft };
  FxPreview *preview = renderer->preview;
  g_autoptr (FxPlan) plan = job ? fx_plan_ref (job->plan)
                                : fx_plan_new_identity (fx_preview_get_format (preview));
  guint8 *rgba = g_try_malloc_n ((gsize) view->rect.width * view->rect.height, 4);

  if (! rgba)
    fx_set_no_memory (error);
  else if (! fx_preview_render (preview, plan, job ? job->device : FX_DEVICE_AUTO, view, rgba,
                                go_on_with_view, &work, report, error))
    g_clear_pointer (&rgba, g_free);
  return rgba;
}

/* Takes the job out of view. */
static void
render_view (Renderer *renderer, RendererView *view, gint serial)
{
  RendererViewResult *result = g_new0 (RendererViewResult, 1);

  result->request = *view;
  view->job = (RenderJob) { 0 };
  if (view->before)
    result->before = renderer_render (renderer, &view->view, NULL, serial, &result->report,
                                      &result->error);
  if (view->after && ! result->error)
    result->after = renderer_render (renderer, &view->view, &result->request.job, serial,
                                     &result->report, &result->error);
  hand_over (renderer, result, NULL, serial);
}

/* The layer, on the thread. */

static gboolean
is_view_waiting (Renderer *renderer)
{
  gboolean waiting;

  g_mutex_lock (&renderer->lock);
  waiting = renderer->view != NULL;
  g_mutex_unlock (&renderer->lock);
  return waiting;
}

static gboolean
go_on_with_layer (gpointer data, double fraction)
{
  const Rendering *work = data;
  Renderer *renderer = work->renderer;

  double milliseconds = (g_get_monotonic_time () - work->start) / 1000.0;

  return ! g_atomic_int_get (&renderer->quit) &&
         g_atomic_int_get (&renderer->layer_serial) == work->serial &&
         ! (MAX (renderer->layer_milliseconds, milliseconds) > GIVE_WAY &&
            is_view_waiting (renderer));
}

static gboolean
read_layer (gpointer data, const FxRect *rect, gpointer pixels, gsize stride, GError **error)
{
  const Rendering *work = data;
  FxRect moved = { rect->x - work->job->grow_x, rect->y - work->job->grow_y, rect->width,
                   rect->height };

  drawable_copy_get_rect (work->renderer->copy, &moved, pixels, stride);
  return TRUE;
}

static guint8 *
renderer_get_place (const Rendering *work, int x, int y)
{
  return work->pixels +
         ((gsize) y * work->job->image.width + x) * fx_format_size (&work->job->image.format);
}

static gboolean
write_layer (gpointer data, const FxRect *rect, gconstpointer pixels, gsize stride, GError **error)
{
  const Rendering *work = data;
  gsize size = rect->width * fx_format_size (&work->job->image.format);
  int row;

  for (row = 0; row < rect->height; row++)
    memcpy (renderer_get_place (work, rect->x, rect->y + row),
            (const guint8 *) pixels + row * stride, size);
  return TRUE;
}

/* Merges the result as GIMP does, one row at a time. mask is NULL if there is no selection, or if
 * the layer grows. Returns FALSE with FX_ERROR_CANCELLED if the layer is no longer wanted or gives
 * way. */
static gboolean
merge_layer (Rendering *work, const guint8 *mask, guint locked, GError **error)
{
  const RenderTarget *target = work->renderer->target;
  const FxRect *region = &work->job->image.region;
  FxRect row = { region->x - work->job->grow_x, region->y - work->job->grow_y, region->width, 1 };
  gsize stride = region->width * fx_format_size (&target->format);
  g_autofree guint8 *before = g_try_malloc (stride);
  int y;

  if (! before)
    return fx_set_no_memory (error);
  for (y = region->y; y < region->y + region->height; y++, row.y++)
    {
      guint8 *after = renderer_get_place (work, region->x, y);

      if (! go_on_with_layer (work, 1.0))
        {
          g_set_error_literal (error, FX_ERROR, FX_ERROR_CANCELLED, "");
          return FALSE;
        }
      drawable_copy_get_rect (work->renderer->copy, &row, before, stride);
      if (mask)
        fx_mix (&target->format, target->coverage, before, after,
                mask + (gsize) row.y * target->width + row.x, row.width);
      if (locked)
        fx_restore_channels (&target->format, locked, before, after, row.width);
    }
  return TRUE;
}

/* Copies the drawable, with a transparent border if it grows. Returns NULL with error if there is
 * not enough memory. */
static guint8 *
copy_layer (const Renderer *renderer, const RenderJob *job, GError **error)
{
  const FxImage *image = &job->image;
  const FxRect whole = { -job->grow_x, -job->grow_y, image->width, image->height };
  gsize stride = image->width * fx_format_size (&image->format);
  guint8 *pixels = NULL;

  if (drawable_copy_has_room (renderer->copy, LAYER_COPIES * (double) image->height * stride))
    pixels = g_try_malloc_n (image->height, stride);
  if (pixels)
    drawable_copy_get_rect (renderer->copy, &whole, pixels, stride);
  else
    g_set_error (error, FX_ERROR, FX_ERROR_MEMORY,
                 _ ("There is not enough memory for a preview on the canvas"));
  return pixels;
}

/* Applies the job to the copy of the layer in work. */
static gboolean
change_layer (Rendering *work, const Task *task, GError **error)
{
  /* The job may be older than the selection. */
  const RenderJob *job = work->job;
  const guint8 *mask = render_job_grows (job) ? NULL : task->mask;
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

/* Returns FALSE if the layer gave way to a view or was cancelled; otherwise takes the job out of
 * task. */
static gboolean
render_layer (Renderer *renderer, Task *task)
{
  Rendering work = { .renderer = renderer,
                     .serial = task->layer_serial,
                     .job = &task->layer->job,
                     .start = g_get_monotonic_time () };
  RendererLayerResult *result = g_new0 (RendererLayerResult, 1);

  if (render_job_check_size (work.job, &result->error))
    work.pixels = copy_layer (renderer, work.job, &result->error);
  if (work.pixels && ! task->layer->as_it_is)
    change_layer (&work, task, &result->error);
  result->pixels = work.pixels;
  if (g_error_matches (result->error, FX_ERROR, FX_ERROR_CANCELLED))
    {
      layer_result_free (result);
      return FALSE;
    }
  result->request = *task->layer;
  task->layer->job = (RenderJob) { 0 };
  hand_over (renderer, NULL, result, task->layer_serial);
  return TRUE;
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
    .view_serial = g_atomic_int_get (&renderer->view_serial),
    .layer_serial = g_atomic_int_get (&renderer->layer_serial),
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

/* Puts back a layer that gave way, unless there is a newer request. */
static void
put_back (Renderer *renderer, Task *task)
{
  g_mutex_lock (&renderer->lock);
  if (! renderer->layer && g_atomic_int_get (&renderer->layer_serial) == task->layer_serial)
    renderer->layer = g_steal_pointer (&task->layer);
  g_mutex_unlock (&renderer->lock);
}

static void
renderer_work (Renderer *renderer, Task *task)
{
  drawable_copy_hold (renderer->copy);
  if (task->changed_end > task->changed_y)
    {
      fx_preview_change (renderer->preview, task->changed_y, task->changed_end - task->changed_y);
      fx_preview_set_mask (renderer->preview, task->mask);
      fx_preview_set_locked (renderer->preview, task->locked);
    }
  if (task->view)
    render_view (renderer, task->view, task->view_serial);
  if (task->layer && ! render_layer (renderer, task))
    put_back (renderer, task);
  drawable_copy_release (renderer->copy);
}

static gpointer
renderer_run (gpointer data)
{
  Renderer *renderer = data;
  gboolean going = TRUE;

  while (going)
    {
      Task task;

      going = take_task (renderer, &task);
      if (going)
        renderer_work (renderer, &task);
      view_free (task.view);
      layer_free (task.layer);
    }
  return NULL;
}

/* The main thread. */

Renderer *
renderer_new (FxEngine *engine, const RenderTarget *target, DrawableCopy *copy,
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
  view_result_free (renderer->view_result);
  layer_result_free (renderer->layer_result);
  view_free (renderer->view);
  layer_free (renderer->layer);
  fx_preview_free (renderer->preview);
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
renderer_request_view (Renderer *renderer, RendererView *view)
{
  g_mutex_lock (&renderer->lock);
  g_atomic_int_inc (&renderer->view_serial);
  view_free (renderer->view);
  renderer->view = g_memdup2 (view, sizeof *view);
  view->job = (RenderJob) { 0 };
  g_cond_signal (&renderer->wake);
  g_mutex_unlock (&renderer->lock);
}

void
renderer_request_layer (Renderer *renderer, RendererLayer *layer)
{
  g_mutex_lock (&renderer->lock);
  g_atomic_int_inc (&renderer->layer_serial);
  layer_free (renderer->layer);
  renderer->layer = layer ? g_memdup2 (layer, sizeof *layer) : NULL;
  if (layer)
    layer->job = (RenderJob) { 0 };
  g_clear_pointer (&renderer->layer_result, layer_result_free);
  g_cond_signal (&renderer->wake);
  g_mutex_unlock (&renderer->lock);
}
