#include "builder.h"
#include "error.h"
#include "threads.h"
#include "trace.h"

#include <glib/gi18n-lib.h>

#define JOBS_MAX    64    /* jobs, including finished ones, whose code is also on disk */
#define THREADS_MAX 8     /* programs are few, and each compilation takes memory */
#define TIMEOUT     10000 /* milliseconds; a program takes a few hundred on a busy machine */

/* A task for a thread: to compile a text, or to open the compiler. */
typedef struct {
  const FxProgram *program;
  char *text; /* NULL: open the compiler */
  gboolean done;
  gboolean timed_out; /* a caller gave up waiting for it */
  GBytes *code;       /* the result, unless error is set */
  GError *error;
} Job;

/* A queue of jobs, and the threads that execute them. */
typedef struct {
  FxBuilder *builder;
  GQueue jobs; /* of Job */
  int idle;    /* threads without a job */
  int n_threads, max_threads;
  GThread *threads[THREADS_MAX];
} Lane;

struct FxBuilder {
  int arch, major;
  gboolean ptx;
  gint64 timeout; /* microseconds */
  FxCache *cache;
  FxCompiler *compiler; /* does not change once open, and neither does target */
  FxTarget target;

  GMutex mutex; /* protects the members below */
  GCond changed;
  gboolean stop;
  gboolean abandoned; /* only the threads still use the builder; the last of them frees it */
  int running;        /* running threads */
  int timed_out;      /* running jobs that a caller gave up on */
  Lane foreground;    /* jobs that a caller waits for */
  Lane background;    /* one thread, so that background compilations do not delay each other */
  Job opening;        /* opens the compiler */
  gboolean opening_queued;
  GHashTable *jobs; /* text -> Job */
};

static void
free_job (gpointer data)
{
  Job *job = data;

  g_clear_pointer (&job->code, g_bytes_unref);
  g_clear_error (&job->error);
  g_free (job->text);
  g_free (job);
}

static void
destroy (FxBuilder *builder)
{
  g_queue_clear (&builder->foreground.jobs);
  g_queue_clear (&builder->background.jobs);
  g_clear_error (&builder->opening.error);
  g_hash_table_unref (builder->jobs);
  g_mutex_clear (&builder->mutex);
  g_cond_clear (&builder->changed);
  fx_compiler_close (builder->compiler);
  fx_cache_free (builder->cache);
  g_free (builder);
}

/* The threads. */

static gboolean
choose_target (FxBuilder *builder, const FxCompiler *compiler, GError **error)
{
  int n;
  const int *archs = fx_compiler_get_archs (compiler, &n);

  return fx_target_choose (archs, n, fx_compiler_get_version (compiler), builder->arch,
                           builder->ptx, &builder->target, error);
}

/* Finds the newest NVRTC that compiles for the device. If there is none, error describes the newest
 * NVRTC of all. */
static FxCompiler *
find_compiler (FxBuilder *builder, GError **error)
{
  GError *reason = NULL;
  FxCompiler *compiler = fx_compiler_open (builder->major, error);

  while (compiler && ! choose_target (builder, compiler, reason ? NULL : &reason))
    {
      int major = (int) g_ascii_strtoll (fx_compiler_get_version (compiler), NULL, 10);

      fx_compiler_close (compiler);
      compiler = fx_compiler_open (major - 1, NULL);
    }
  if (! compiler && reason)
    g_propagate_error (error, reason);
  else
    g_clear_error (&reason);
  return compiler;
}

static GBytes *
compile (FxBuilder *builder, const Job *job, GError **error)
{
  GBytes *code = fx_program_get (job->program, builder->compiler, builder->cache, job->text,
                                 &builder->target, error);

  if (! code)
    fx_trace ("compile", g_get_monotonic_time (), 0, "%s", (*error)->message);
  return code;
}

/* Executes job. The caller holds the mutex, which is released while the job runs. */
static void
execute (FxBuilder *builder, Job *job)
{
  GBytes *code = NULL;
  GError *error = NULL;

  g_mutex_unlock (&builder->mutex);
  if (job->text)
    code = compile (builder, job, &error);
  else
    builder->compiler = find_compiler (builder, &error);
  g_mutex_lock (&builder->mutex);
  job->code = code;
  job->error = error;
  job->done = TRUE;
  builder->timed_out -= job->timed_out;
  job->timed_out = FALSE;
  g_cond_broadcast (&builder->changed);
}

static void
builder_step (Lane *lane)
{
  FxBuilder *builder = lane->builder;
  Job *job = g_queue_pop_head (&lane->jobs);

  if (job)
    {
      execute (builder, job);
      return;
    }
  lane->idle++;
  g_cond_wait (&builder->changed, &builder->mutex);
  lane->idle--;
}

static gpointer
builder_work (gpointer data)
{
  Lane *lane = data;
  FxBuilder *builder = lane->builder;
  gboolean last;

  g_mutex_lock (&builder->mutex);
  while (! builder->stop)
    builder_step (lane);
  last = --builder->running == 0 && builder->abandoned;
  g_cond_broadcast (&builder->changed);
  g_mutex_unlock (&builder->mutex);
  if (last)
    destroy (builder);
  return NULL;
}

/* The callers. */

/* Starts a thread if the lane has too few. Returns FALSE with error if the lane then has none. Call
 * this with the mutex held. */
static gboolean
ensure_threads (Lane *lane, GError **error)
{
  GThread *thread;

  if (lane->idle >= (int) g_queue_get_length (&lane->jobs) || lane->n_threads == lane->max_threads)
    return TRUE;
  thread = g_thread_try_new ("cuda-blur-nvrtc", builder_work, lane,
                             lane->n_threads > 0 ? NULL : error);
  if (! thread)
    return lane->n_threads > 0;
  lane->threads[lane->n_threads++] = thread;
  lane->builder->running++;
  return TRUE;
}

/* Queues job. Returns FALSE with error if no thread would execute it. Call this with the mutex
 * held. */
static gboolean
submit (Lane *lane, Job *job, GError **error)
{
  g_queue_push_tail (&lane->jobs, job);
  if (! ensure_threads (lane, error))
    {
      g_queue_pop_tail (&lane->jobs);
      return FALSE;
    }
  g_cond_broadcast (&lane->builder->changed);
  return TRUE;
}

FxBuilder *
fx_builder_new (int arch, int major, const FxConfig *config)
{
  FxBuilder *builder = g_new0 (FxBuilder, 1);

  builder->arch = arch;
  builder->major = major;
  builder->ptx = config->ptx;
  builder->timeout = (config->timeout > 0 ? config->timeout : TIMEOUT) * (gint64) 1000;
  builder->cache = fx_cache_new (config->cache_dir, FX_CACHE_LIMIT);
  builder->jobs = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, free_job);
  builder->foreground.builder = builder->background.builder = builder;
  builder->foreground.max_threads = CLAMP (fx_threads_get_cores (), 2, THREADS_MAX);
  builder->background.max_threads = 1;
  g_mutex_init (&builder->mutex);
  g_cond_init (&builder->changed);
  g_mutex_lock (&builder->mutex);
  builder->opening_queued = submit (&builder->foreground, &builder->opening, NULL);
  g_mutex_unlock (&builder->mutex);
  return builder;
}

/* Waits until *value == wanted, but no longer than the timeout, and not at all if a job that timed
 * out is still running. Returns whether *value == wanted. Call this with the mutex held. */
static gboolean
builder_wait_for (FxBuilder *builder, const int *value, int wanted)
{
  gint64 end = g_get_monotonic_time () + (builder->timed_out > 0 ? 0 : builder->timeout);

  while (*value != wanted && g_cond_wait_until (&builder->changed, &builder->mutex, end))
    ;
  return *value == wanted;
}

static gboolean
wait_for_job (FxBuilder *builder, Job *job, GError **error)
{
  if (builder_wait_for (builder, &job->done, TRUE))
    return TRUE;
  builder->timed_out += ! job->timed_out;
  job->timed_out = TRUE;
  return fx_fail (error, FX_ERROR_UNAVAILABLE,
                  _ ("NVRTC has taken more than %.3g seconds to compile a program"),
                  builder->timeout / 1e6);
}

static void
end_threads (Lane *lane, gboolean abandoned)
{
  for (int i = 0; i < lane->n_threads; i++)
    if (abandoned)
      g_thread_unref (lane->threads[i]);
    else
      g_thread_join (lane->threads[i]);
}

/* If a compilation does not end in time, the threads free the builder. */
void
fx_builder_free (FxBuilder *builder)
{
  gboolean abandoned;

  if (! builder)
    return;
  g_mutex_lock (&builder->mutex);
  builder->stop = TRUE;
  g_cond_broadcast (&builder->changed);
  abandoned = builder->abandoned = ! builder_wait_for (builder, &builder->running, 0);
  /* A thread that is counted as ended no longer needs the mutex. */
  end_threads (&builder->foreground, abandoned);
  end_threads (&builder->background, abandoned);
  g_mutex_unlock (&builder->mutex);
  if (! abandoned)
    destroy (builder);
}

/* Waits for the compiler to open. If again is set and it was not found before, looks for it again.
 * Returns FALSE with error if there is none. Call this with the mutex held. */
static gboolean
wait_for_compiler (FxBuilder *builder, gboolean again, GError **error)
{
  Job *opening = &builder->opening;

  if (opening->error && again)
    {
      g_clear_error (&opening->error);
      opening->done = builder->opening_queued = FALSE;
    }
  if (! builder->opening_queued)
    builder->opening_queued = submit (&builder->foreground, opening, error);
  if (! builder->opening_queued || ! wait_for_job (builder, opening, error))
    return FALSE;
  if (opening->error && error)
    *error = g_error_copy (opening->error);
  return ! opening->error;
}

static gboolean
has_compiler (FxBuilder *builder, gboolean again, GError **error)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&builder->mutex);

  return wait_for_compiler (builder, again, error);
}

static gboolean
is_job_done (gpointer key, gpointer job, gpointer data)
{
  return ((Job *) job)->done;
}

/* Frees finished jobs if there are many. Call this with the mutex held, and before looking up jobs,
 * because it may free them. */
static void
prune (FxBuilder *builder)
{
  if (g_hash_table_size (builder->jobs) >= JOBS_MAX)
    g_hash_table_foreach_remove (builder->jobs, is_job_done, NULL);
}

/* Adds a job to a lane. Returns NULL with error if no thread would execute it. Call this with the
 * mutex held. */
static Job *
add (Lane *lane, const FxProgram *program, const char *text, GError **error)
{
  Job *job = g_new0 (Job, 1);

  job->program = program;
  job->text = g_strdup (text);
  if (! submit (lane, job, error))
    {
      free_job (job);
      return NULL;
    }
  g_hash_table_insert (lane->builder->jobs, job->text, job);
  return job;
}

/* Drops background jobs that no thread has begun. Call this with the mutex held. */
static void
drop_waiting (FxBuilder *builder)
{
  Job *job;

  while ((job = g_queue_pop_head (&builder->background.jobs)))
    g_hash_table_remove (builder->jobs, job->text);
}

/* Returns the job for text, adding one if needed. Replaces a job that has failed, and one that
 * still waits in the background. Returns NULL like add. Call this with the mutex held. */
static Job *
ensure_job (FxBuilder *builder, const FxProgram *program, const char *text, GError **error)
{
  Job *job = g_hash_table_lookup (builder->jobs, text);

  if (job && (job->error || g_queue_remove (&builder->background.jobs, job)))
    {
      g_hash_table_remove (builder->jobs, text);
      job = NULL;
    }
  return job ? job : add (&builder->foreground, program, text, error);
}

/* Returns a finished job's code and removes the job. Returns NULL for a failed job, which stays.
 * Call this with the mutex held. */
static GBytes *
collect (FxBuilder *builder, Job *job)
{
  GBytes *code = g_steal_pointer (&job->code);

  if (code)
    g_hash_table_remove (builder->jobs, job->text);
  return code;
}

static GBytes *
wait_for_code (FxBuilder *builder, Job *job, GError **error)
{
  if (! wait_for_job (builder, job, error))
    return NULL;
  if (job->error && error)
    *error = g_error_copy (job->error);
  return collect (builder, job);
}

/* Gets the binaries that are still NULL. Starts all jobs before it waits for the first one. Call
 * this with the mutex held. */
static gboolean
build (FxBuilder *builder, int n, const FxProgram *const *programs, char *const *texts,
       GBytes **binaries, GError **error)
{
  Job *jobs[FX_PROGRAMS_MAX] = { NULL };

  prune (builder);
  for (int i = 0; i < n; i++)
    if (texts[i] && ! binaries[i] &&
        ! (jobs[i] = ensure_job (builder, programs[i], texts[i], error)))
      return FALSE;
  for (int i = 0; i < n; i++)
    if (jobs[i] && ! (binaries[i] = wait_for_code (builder, jobs[i], error)))
      return FALSE;
  return TRUE;
}

static gboolean
has_job (FxBuilder *builder, const char *text)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&builder->mutex);

  return g_hash_table_contains (builder->jobs, text);
}

gboolean
fx_builder_get (FxBuilder *builder, int n, const FxProgram *const *programs, char *const *texts,
                GBytes **binaries, GError **error)
{
  gboolean built;

  for (int i = 0; i < n; i++)
    binaries[i] = NULL;
  if (! has_compiler (builder, TRUE, error))
    return FALSE;
  for (int i = 0; i < n; i++)
    binaries[i] = ! texts[i] || has_job (builder, texts[i])
                    ? NULL
                    : fx_program_find (programs[i], builder->compiler, builder->cache, texts[i],
                                       &builder->target);
  g_mutex_lock (&builder->mutex);
  built = build (builder, n, programs, texts, binaries, error);
  g_mutex_unlock (&builder->mutex);
  for (int i = 0; i < n && ! built; i++)
    g_clear_pointer (&binaries[i], g_bytes_unref);
  return built;
}

GBytes *
fx_builder_find (FxBuilder *builder, const FxProgram *program, const char *text)
{
  GBytes *code = NULL;
  Job *job;

  if (! has_compiler (builder, FALSE, NULL)) /* fx_builder_get reports why */
    return NULL;
  g_mutex_lock (&builder->mutex);
  job = g_hash_table_lookup (builder->jobs, text);
  if (job && job->done)
    code = collect (builder, job);
  g_mutex_unlock (&builder->mutex);
  if (job)
    return code;
  code = fx_program_find (program, builder->compiler, builder->cache, text, &builder->target);
  if (code)
    return code;
  g_mutex_lock (&builder->mutex);
  drop_waiting (builder);
  prune (builder);
  add (&builder->background, program, text, NULL);
  g_mutex_unlock (&builder->mutex);
  return NULL;
}
