#include "builder.h"
#include "error.h"
#include "trace.h"

#include <glib/gi18n-lib.h>

#define JOBS_MAX 64    /* jobs, including finished ones; the disk has their code too */
#define PATIENCE 10000 /* in milliseconds; on a busy machine a program takes a few hundred */

/* A task for a thread: to compile a text, or to open the compiler. */
typedef struct {
  FxBuilder *builder;
  const FxProgram *program;
  char *text; /* NULL: open the compiler */
  gboolean done;
  gboolean late; /* a caller gave up waiting for it */
  GBytes *code;  /* the result, unless error is set */
  GError *error;
} Job;

struct FxBuilder {
  int arch, major;
  gboolean ptx;
  gint64 patience; /* microseconds */
  FxCache *cache;
  FxCompiler *compiler; /* neither this nor target changes after it was opened */
  FxTarget target;

  GMutex mutex; /* protects what follows */
  GCond changed;
  int users; /* the owner and the threads; the last one frees the builder */
  gboolean stop;
  int late;         /* jobs under way that a caller gave up on */
  Job *opening;     /* opens the compiler; NULL: no thread could be started */
  Job *background;  /* under way, or NULL: one at a time, so that they do not delay each other */
  Job *waiting;     /* the next one in the background, or NULL */
  GHashTable *jobs; /* text -> Job, all but opening */
};

static Job *
job_new (FxBuilder *builder, const FxProgram *program, const char *text)
{
  Job *job = g_new0 (Job, 1);

  job->builder = builder;
  job->program = program;
  job->text = g_strdup (text);
  return job;
}

static void
job_free (Job *job)
{
  g_clear_pointer (&job->code, g_bytes_unref);
  g_clear_error (&job->error);
  g_free (job->text);
  g_free (job);
}

/* Drops a user. Call this with the mutex held, which this releases. */
static void
leave (FxBuilder *builder)
{
  gboolean last = --builder->users == 0;

  g_cond_broadcast (&builder->changed);
  g_mutex_unlock (&builder->mutex);
  if (! last)
    return;
  g_clear_pointer (&builder->opening, job_free);
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

/* Finds the newest NVRTC that compiles for the device. The reason of a failure is that of the
 * newest one of all. */
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
  builder->late -= job->late;
  job->late = FALSE;
  g_cond_broadcast (&builder->changed);
}

/* Executes a job and, after one in the background, those that came to wait for it. */
static gpointer
builder_work (gpointer data)
{
  Job *job = data;
  FxBuilder *builder = job->builder;
  gboolean background;

  g_mutex_lock (&builder->mutex);
  background = job == builder->background;
  while (job && ! builder->stop)
    {
      execute (builder, job);
      job = background ? g_steal_pointer (&builder->waiting) : NULL;
      if (background)
        builder->background = job;
    }
  leave (builder);
  return NULL;
}

/* The callers. All functions but the public ones are called with the mutex held. */

static gboolean
start (Job *job, GError **error)
{
  GThread *thread = g_thread_try_new ("cuda-blur-nvrtc", builder_work, job, error);

  if (! thread)
    return FALSE;
  g_thread_unref (thread);
  job->builder->users++;
  return TRUE;
}

static gboolean
ensure_opening (FxBuilder *builder, GError **error)
{
  if (builder->opening)
    return TRUE;
  builder->opening = job_new (builder, NULL, NULL);
  if (! start (builder->opening, error))
    g_clear_pointer (&builder->opening, job_free);
  return builder->opening != NULL;
}

FxBuilder *
fx_builder_new (int arch, int major, const FxConfig *config)
{
  FxBuilder *builder = g_new0 (FxBuilder, 1);

  builder->arch = arch;
  builder->major = major;
  builder->ptx = config->ptx;
  builder->patience = (config->patience > 0 ? config->patience : PATIENCE) * (gint64) 1000;
  builder->cache = fx_cache_new (config->cache_dir, FX_CACHE_LIMIT);
  builder->jobs = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) job_free);
  builder->users = 1;
  g_mutex_init (&builder->mutex);
  g_cond_init (&builder->changed);
  g_mutex_lock (&builder->mutex);
  ensure_opening (builder, NULL);
  g_mutex_unlock (&builder->mutex);
  return builder;
}

/* Waits until value is wanted, but no longer than the configured patience; does not wait at all if
 * a late job is still under way. Returns whether it is. */
static gboolean
builder_wait_for (FxBuilder *builder, const int *value, int wanted)
{
  gint64 end = g_get_monotonic_time () + (builder->late > 0 ? 0 : builder->patience);

  while (*value != wanted && g_cond_wait_until (&builder->changed, &builder->mutex, end))
    continue;
  return *value == wanted;
}

/* If a compilation does not end in time, leaves the builder to its threads. */
void
fx_builder_free (FxBuilder *builder)
{
  if (! builder)
    return;
  g_mutex_lock (&builder->mutex);
  builder->stop = TRUE;
  builder_wait_for (builder, &builder->users, 1);
  leave (builder);
}

static void
set_late (const FxBuilder *builder, GError **error)
{
  g_set_error (error, FX_ERROR, FX_ERROR_UNAVAILABLE,
               _ ("NVRTC has taken more than %.3g seconds to compile a program"),
               builder->patience / 1e6);
}

/* Returns FALSE with error if job is late, or has failed. */
static gboolean
wait_for_job (FxBuilder *builder, Job *job, GError **error)
{
  if (! builder_wait_for (builder, &job->done, TRUE))
    {
      builder->late += ! job->late;
      job->late = TRUE;
      set_late (builder, error);
      return FALSE;
    }
  if (job->error)
    g_propagate_error (error, g_error_copy (job->error));
  return ! job->error;
}

/* Waits for the compiler to open. If again is set and it was not found before, looks for it again.
 * Returns FALSE with error if there is none. */
static gboolean
wait_for_compiler (FxBuilder *builder, gboolean again, GError **error)
{
  if (again && builder->opening && builder->opening->error)
    g_clear_pointer (&builder->opening, job_free);
  return ensure_opening (builder, error) && wait_for_job (builder, builder->opening, error);
}

static gboolean
is_job_done (gpointer key, gpointer job, gpointer data)
{
  return ((Job *) job)->done;
}

/* Frees finished jobs if there are many: not while a caller holds one. */
static void
prune (FxBuilder *builder)
{
  if (g_hash_table_size (builder->jobs) >= JOBS_MAX)
    g_hash_table_foreach_remove (builder->jobs, is_job_done, NULL);
}

/* Adds a job, in place of the one that the text may have. */
static Job *
add (FxBuilder *builder, const FxProgram *program, const char *text)
{
  Job *job = job_new (builder, program, text);

  g_hash_table_replace (builder->jobs, job->text, job);
  return job;
}

/* Returns the job for text, under way or done, adding one if needed. Replaces a job that has
 * failed, and one that still waits in the background. Returns NULL with error if no thread would
 * execute it. */
static Job *
ensure_job (FxBuilder *builder, const FxProgram *program, const char *text, GError **error)
{
  Job *job = g_hash_table_lookup (builder->jobs, text);

  if (job && ! job->error && job != builder->waiting)
    return job;
  if (builder->late > 0)
    {
      set_late (builder, error);
      return NULL;
    }
  if (job && job == builder->waiting)
    builder->waiting = NULL;
  job = add (builder, program, text);
  if (start (job, error))
    return job;
  g_hash_table_remove (builder->jobs, text);
  return NULL;
}

/* Returns a finished job's code, and removes the job; a failed job stays, and gives NULL. */
static GBytes *
collect (FxBuilder *builder, Job *job)
{
  GBytes *code = g_steal_pointer (&job->code);

  if (code)
    g_hash_table_remove (builder->jobs, job->text);
  return code;
}

/* Starts all jobs before it waits for the first one. */
static gboolean
build (FxBuilder *builder, int n, const FxProgram *const *programs, char *const *texts,
       GBytes **codes, GError **error)
{
  Job *jobs[FX_PROGRAMS_MAX] = { NULL };
  int i;

  prune (builder);
  for (i = 0; i < n; i++)
    if (texts[i] && ! (jobs[i] = ensure_job (builder, programs[i], texts[i], error)))
      return FALSE;
  for (i = 0; i < n; i++)
    if (jobs[i] && ! wait_for_job (builder, jobs[i], error))
      return FALSE;
    else if (jobs[i])
      codes[i] = collect (builder, jobs[i]);
  return TRUE;
}

gboolean
fx_builder_get (FxBuilder *builder, int n, const FxProgram *const *programs, char *const *texts,
                GBytes **codes, GError **error)
{
  gboolean built;
  int i;

  for (i = 0; i < n; i++)
    codes[i] = NULL;
  g_mutex_lock (&builder->mutex);
  built = wait_for_compiler (builder, TRUE, error) &&
          build (builder, n, programs, texts, codes, error);
  g_mutex_unlock (&builder->mutex);
  for (i = 0; i < n && ! built; i++)
    g_clear_pointer (&codes[i], g_bytes_unref);
  return built;
}

/* Replaces the job that waits, if there is one. */
static void
compile_in_background (FxBuilder *builder, const FxProgram *program, const char *text)
{
  if (builder->waiting)
    g_hash_table_remove (builder->jobs, builder->waiting->text);
  prune (builder);
  builder->waiting = add (builder, program, text);
  if (builder->background)
    return;
  builder->background = g_steal_pointer (&builder->waiting);
  if (start (builder->background, NULL))
    return;
  g_hash_table_remove (builder->jobs, text);
  builder->background = NULL;
}

GBytes *
fx_builder_find (FxBuilder *builder, const FxProgram *program, const char *text)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&builder->mutex);
  GBytes *code;
  Job *job;

  if (! wait_for_compiler (builder, FALSE, NULL)) /* fx_builder_get reports why */
    return NULL;
  job = g_hash_table_lookup (builder->jobs, text);
  if (job)
    return job->done ? collect (builder, job) : NULL;
  code = fx_program_find (program, builder->compiler, builder->cache, text, &builder->target);
  if (! code)
    compile_in_background (builder, program, text);
  return code;
}
