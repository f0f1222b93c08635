#include "pipeline.h"

#include "cursor.h"

/* Slots for chunks in transit, in addition to those that the backend holds. Two suffice if both
 * threads are equally fast; the third lets the reader run ahead while the device opens. */
#define SOURCES 3
#define RESULTS 2

/* The state of a running job: how many chunks have passed each of the four steps, and how the two
 * threads have ended. */
typedef struct {
  FxPipeline *pipeline;
  const FxPipelineJob *job;
  gsize source_size, result_size; /* bytes of a slot */

  /* Protected by the pipeline's lock. */
  guint filled, pushed;   /* chunks of the source; pushed: by the pipeline's thread */
  guint pulled, written;  /* chunks of the result; pulled: by the pipeline's thread */
  gboolean report_wanted; /* the progress function must be called, during a long chunk */
  gboolean stop;          /* the caller's thread gave up */
  gboolean ended;         /* the pipeline's thread has ended */
  GError *error;          /* the pipeline's thread's */
} Flow;

struct FxPipeline {
  GThread *thread; /* NULL until the first job */
  GMutex lock;     /* protects the members below */
  GCond changed;   /* signals one thread that the other has made progress */
  Flow *flow;      /* the next flow for the thread, or NULL */
  Flow *running;   /* the flow that it runs, or NULL */
  gboolean quit;
};

/* Staging. */

/* Sets source and result to the bytes that a chunk takes in the widest strip. */
static void
get_sizes (const FxPipelineJob *job, gsize *source, gsize *result)
{
  const FxRect *region = &job->image->region;
  gsize row = fx_format_size (&job->image->format) * job->layout.chunk_rows;
  gsize columns = job->layout.resident
                    ? job->image->width
                    : fx_layout_get_source_columns (&job->layout, &job->plan->reach, job->image);

  *source = fx_round_up (row * columns, FX_PIPELINE_ALIGNMENT);
  *result = fx_round_up (row * MIN (region->width, job->layout.strip_width), FX_PIPELINE_ALIGNMENT);
}

/* Returns the slots for chunks of the source. */
static guint
get_slots (const FxPipelineJob *job)
{
  const FxBackend *backend = job->backend;

  return SOURCES + (guint) (backend->get_held ? backend->get_held (job->plan) : 0);
}

gsize
fx_pipeline_get_staging_bytes (const FxPipelineJob *job)
{
  gsize source, result;

  get_sizes (job, &source, &result);
  return get_slots (job) * source + RESULTS * result;
}

/* Return the image's own memory from row y on, or NULL if it cannot be used. A chunk has no
 * padding, so the strip must have all columns of the image. */

static gconstpointer
find_source (const Flow *flow, const FxStrip *strip, int y)
{
  const FxImage *image = flow->job->image;
  gsize row = image->width * fx_format_size (&image->format);

  if (! flow->job->in_place || ! image->source ||
      strip->source_x1 - strip->source_x0 < image->width)
    return NULL;
  return (const char *) image->source + y * row;
}

static gpointer
find_result (const Flow *flow, const FxStrip *strip, int y)
{
  const FxImage *image = flow->job->image;
  gsize row = image->region.width * fx_format_size (&image->format);

  if (! flow->job->in_place || ! image->result || strip->x1 - strip->x0 < image->region.width)
    return NULL;
  return (char *) image->result + (y - image->region.y) * row;
}

/* The slots of chunk n. */

static gpointer
pipeline_get_source (const Flow *flow, guint n)
{
  return (char *) flow->job->staging + n % get_slots (flow->job) * flow->source_size;
}

static gpointer
get_result (const Flow *flow, guint n)
{
  return (char *) flow->job->staging + get_slots (flow->job) * flow->source_size +
         n % RESULTS * flow->result_size;
}

/* The pipeline's thread. */

static void
count (Flow *flow, guint *counter)
{
  g_mutex_lock (&flow->pipeline->lock);
  (*counter)++;
  g_cond_signal (&flow->pipeline->changed);
  g_mutex_unlock (&flow->pipeline->lock);
}

/* Waits until *ahead - *behind is from least to most. Returns FALSE if the caller gave up. */
static gboolean
pipeline_wait_for (Flow *flow, const guint *ahead, const guint *behind, guint least, guint most)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&flow->pipeline->lock);

  while (! flow->stop && (*ahead - *behind < least || *ahead - *behind > most))
    g_cond_wait (&flow->pipeline->changed, &flow->pipeline->lock);
  return ! flow->stop;
}

static gboolean
push_chunk (Flow *flow, FxRun *run, int y, int rows, GError **error)
{
  FxResidentSource *resident = flow->job->resident;
  gconstpointer source = find_source (flow, &run->strip, y);

  if (! source)
    source = pipeline_get_source (flow, flow->pushed);
  if (! pipeline_wait_for (flow, &flow->filled, &flow->pushed, 1, SOURCES))
    return FALSE;
  if (resident && fx_resident_source_has (resident, y, rows))
    source = NULL;
  if (! flow->job->backend->push (run, source, y, rows, error))
    return FALSE;
  g_mutex_lock (&flow->pipeline->lock);
  if (resident)
    fx_resident_source_add (resident, y, rows);
  g_mutex_unlock (&flow->pipeline->lock);
  count (flow, &flow->pushed);
  return TRUE;
}

static gboolean
pull_chunk (Flow *flow, FxRun *run, int y, int rows, GError **error)
{
  gpointer result = find_result (flow, &run->strip, y);

  if (! result)
    result = get_result (flow, flow->pulled);
  if (! pipeline_wait_for (flow, &flow->pulled, &flow->written, 0, RESULTS - 1) ||
      ! flow->job->backend->pull (run, result, y, rows, error))
    return FALSE;
  count (flow, &flow->pulled);
  return TRUE;
}

/* Asks the caller's thread to call the progress function, without waiting for it. */
static gboolean
pipeline_is_wanted (gpointer data, GError **error)
{
  Flow *flow = data;
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&flow->pipeline->lock);

  flow->report_wanted = TRUE;
  g_cond_signal (&flow->pipeline->changed);
  return ! flow->stop;
}

/* Returns FALSE without an error if the caller gave up. */
static gboolean
run_strip (Flow *flow, FxRun *run, GError **error)
{
  const FxStrip *strip = &run->strip;
  int next = strip->source_y0; /* the source row to push next */
  int end, stop;

  for (int y = strip->y0; y < strip->y1; y = end)
    {
      end = fx_strip_get_chunk_end (strip, y, strip->y1);
      for (; next < fx_run_get_need (run, end); next = stop)
        {
          stop = fx_strip_get_chunk_end (strip, next, strip->source_y1);
          if (! push_chunk (flow, run, next, stop - next, error))
            return FALSE;
        }
      if (! pull_chunk (flow, run, y, end - y, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
run_strips (Flow *flow, GError **error)
{
  const FxPipelineJob *job = flow->job;
  int x = job->image->region.x, end = x + job->image->region.width;
  gpointer device = job->device;

  if (job->open && ! job->open (job->data, &device, error))
    return FALSE;
  while (x < end)
    {
      FxStrip strip = fx_layout_get_strip (&job->layout, &job->plan->reach, job->image, x);
      FxRun *run = job->backend->begin (device, job->plan, &strip, error);
      gboolean done;

      if (! run)
        return FALSE;
      run->is_wanted = pipeline_is_wanted;
      run->data = flow;
      done = run_strip (flow, run, error);
      job->backend->end (run);
      if (! done)
        return FALSE;
      x = strip.x1;
    }
  return TRUE;
}

static gpointer
pipeline_work (gpointer data)
{
  FxPipeline *pipeline = data;

  g_mutex_lock (&pipeline->lock);
  while (! pipeline->quit)
    {
      Flow *flow = g_steal_pointer (&pipeline->flow);
      GError *error = NULL;

      if (! flow)
        {
          g_cond_wait (&pipeline->changed, &pipeline->lock);
          continue;
        }
      pipeline->running = flow;
      g_mutex_unlock (&pipeline->lock);
      run_strips (flow, &error);
      g_mutex_lock (&pipeline->lock);
      pipeline->running = NULL;
      flow->error = error;
      flow->ended = TRUE;
      g_cond_signal (&pipeline->changed);
    }
  g_mutex_unlock (&pipeline->lock);
  return NULL;
}

/* The caller's thread. */

static gboolean
is_resident (const Flow *flow, const FxRect *chunk)
{
  const FxResidentSource *resident = flow->job->resident;
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&flow->pipeline->lock);

  return resident && fx_resident_source_has (resident, chunk->y, chunk->height);
}

/* A chunk is pushed only after this function has handled it. So if it is resident now, it was so
 * when the run began, or arrived with an earlier strip. */
static gboolean
read_chunk (Flow *flow, FxCursor *cursor, GError **error)
{
  const FxImage *image = flow->job->image;

  if (! find_source (flow, &cursor->strip, cursor->chunk.y) &&
      ! is_resident (flow, &cursor->chunk) &&
      ! image->read (image->data, &cursor->chunk, pipeline_get_source (flow, flow->filled),
                     cursor->chunk.width * fx_format_size (&image->format), error))
    return FALSE;
  count (flow, &flow->filled);
  fx_cursor_step (cursor);
  return TRUE;
}

static gboolean
write_chunk (Flow *flow, FxCursor *cursor, GError **error)
{
  const FxImage *image = flow->job->image;

  if (! find_result (flow, &cursor->strip, cursor->chunk.y) &&
      ! image->write (image->data, &cursor->chunk, get_result (flow, flow->written),
                      cursor->chunk.width * fx_format_size (&image->format), error))
    return FALSE;
  count (flow, &flow->written);
  fx_cursor_step (cursor);
  return TRUE;
}

typedef enum { TASK_READ, TASK_WRITE, TASK_REPORT, TASK_NONE } Task;

/* Waits for work for the caller's thread and returns it, or TASK_NONE if the pipeline's thread
 * failed. */
static Task
wait_for_task (Flow *flow, const FxCursor *reads)
{
  Task task = TASK_NONE;

  g_mutex_lock (&flow->pipeline->lock);
  while (task == TASK_NONE)
    {
      if (flow->pulled != flow->written)
        task = TASK_WRITE;
      else if (flow->ended)
        break;
      else if (reads->chunk.width > 0 && flow->filled - flow->pushed < SOURCES)
        task = TASK_READ;
      else if (flow->report_wanted)
        task = TASK_REPORT;
      else
        g_cond_wait (&flow->pipeline->changed, &flow->pipeline->lock);
    }
  flow->report_wanted = FALSE;
  g_mutex_unlock (&flow->pipeline->lock);
  return task;
}

/* Returns FALSE without an error if the pipeline's thread failed. */
static gboolean
serve (Flow *flow, GError **error)
{
  const FxPipelineJob *job = flow->job;
  const FxImage *image = job->image;
  FxCursor reads, writes;

  fx_cursor_init (&reads, &job->layout, &job->plan->reach, image, TRUE);
  fx_cursor_init (&writes, &job->layout, &job->plan->reach, image, FALSE);
  if (! fx_progress_report (image->progress, image->data, 0.0, error))
    return FALSE;
  while (writes.chunk.width > 0)
    {
      Task task = wait_for_task (flow, &reads);

      if (task == TASK_NONE || (task == TASK_READ && ! read_chunk (flow, &reads, error)) ||
          (task == TASK_WRITE && ! write_chunk (flow, &writes, error)) ||
          ! fx_progress_report (image->progress, image->data,
                                (reads.done / reads.all + writes.done / writes.all) / 2.0, error))
        return FALSE;
    }
  return TRUE;
}

/* Synchronisation of the threads: start hands flow to the pipeline's thread, and pipeline_finish
 * waits until the thread has finished it. */

static gboolean
start (Flow *flow, GError **error)
{
  FxPipeline *pipeline = flow->pipeline;

  if (! pipeline->thread &&
      ! (pipeline->thread = g_thread_try_new ("cuda-blur", pipeline_work, pipeline, error)))
    return FALSE;
  g_mutex_lock (&pipeline->lock);
  pipeline->flow = flow;
  g_cond_signal (&pipeline->changed);
  g_mutex_unlock (&pipeline->lock);
  return TRUE;
}

static void
pipeline_finish (Flow *flow)
{
  FxPipeline *pipeline = flow->pipeline;

  g_mutex_lock (&pipeline->lock);
  flow->stop = TRUE;
  g_cond_signal (&pipeline->changed);
  while (! flow->ended)
    g_cond_wait (&pipeline->changed, &pipeline->lock);
  g_mutex_unlock (&pipeline->lock);
}

FxPipeline *
fx_pipeline_new (void)
{
  FxPipeline *pipeline = g_new0 (FxPipeline, 1);

  g_mutex_init (&pipeline->lock);
  g_cond_init (&pipeline->changed);
  return pipeline;
}

void
fx_pipeline_free (FxPipeline *pipeline)
{
  if (! pipeline)
    return;
  g_mutex_lock (&pipeline->lock);
  pipeline->quit = TRUE;
  if (pipeline->running)
    pipeline->running->stop = TRUE;
  g_cond_signal (&pipeline->changed);
  g_mutex_unlock (&pipeline->lock);
  if (pipeline->thread)
    g_thread_join (pipeline->thread);
  g_mutex_clear (&pipeline->lock);
  g_cond_clear (&pipeline->changed);
  g_free (pipeline);
}

gboolean
fx_pipeline_run (FxPipeline *pipeline, const FxPipelineJob *job, gboolean *caller_stopped,
                 GError **error)
{
  Flow flow = { .pipeline = pipeline, .job = job };
  g_autoptr (GError) failure = NULL;
  gboolean done;

  *caller_stopped = FALSE;
  get_sizes (job, &flow.source_size, &flow.result_size);
  if (! start (&flow, error))
    return FALSE;
  done = serve (&flow, &failure);
  pipeline_finish (&flow);
  *caller_stopped = failure != NULL;
  if (failure)
    g_propagate_error (error, g_steal_pointer (&failure));
  else if (! done)
    g_propagate_error (error, g_steal_pointer (&flow.error));
  g_clear_error (&flow.error);
  return done;
}
