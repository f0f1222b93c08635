#include "engine.h"

#include "choice.h"
#include "devices.h"
#include "resident-source.h"
#include "pipeline.h"
#include "threads.h"
#include "trace.h"
#include "translations.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>

#define CPU_MEMORY ((gsize) 1 << 30) /* the most bytes of a strip on the CPU */
#define GPU_TRIES  3                 /* each with half the memory of the previous one */

struct FxEngine {
  gboolean warms_up, waits;
  FxPipeline *pipeline;
  gpointer staging; /* for the pipeline's jobs */
  gsize staging_size;
  gboolean configured; /* by the caller instead of by the environment */
  FxConfig config;     /* the caller's */
  FxCpu cpu;
  FxGpuOwner *owner; /* of the GPU */
  FxPicture picture; /* on the automatic device */
};

/* One attempt on one device. */
typedef struct {
  FxEngine *engine;
  FxPlan *plan;
  const FxImage *image;
  FxTask task;       /* on the automatic device */
  gsize limit;       /* the most bytes of a strip */
  gboolean in_place; /* in the image's own memory */
  gboolean fits;     /* the layout is known to fit into the GPU's memory */
  gsize bytes;       /* bytes that the last layout took, or would have taken; 0: there was none */
  gboolean caller_stopped; /* a callback failed or cancelled; no other device would help */
  gboolean ready;          /* the GPU is, without compiling */
  gboolean usual; /* the run took as long as others will: there was no other attempt or warm-up */
} Attempt;

FxEngine *
fx_engine_new (void)
{
  FxEngine *engine = g_new0 (FxEngine, 1);

  fx_translations_bind ();
  engine->waits = TRUE;
  engine->pipeline = fx_pipeline_new ();
  engine->cpu.threads = fx_threads_get_default ();
  engine->owner = fx_gpu_owner_new ();
  return engine;
}

void
fx_engine_set_config (FxEngine *engine, const FxConfig *config)
{
  fx_config_clear (&engine->config);
  fx_config_copy (&engine->config, config);
  engine->configured = TRUE;
}

void
fx_engine_enable_warm_up (FxEngine *engine)
{
  engine->warms_up = TRUE;
}

void
fx_engine_set_waiting (FxEngine *engine, gboolean waiting)
{
  engine->waits = waiting;
}

void
fx_engine_free (FxEngine *engine)
{
  if (! engine)
    return;
  fx_pipeline_free (engine->pipeline);
  fx_gpu_owner_free (engine->owner);
  fx_picture_end (&engine->picture);
  fx_config_clear (&engine->config);
  free (engine->staging);
  g_free (engine);
}

const FxCpu *
fx_engine_get_cpu (const FxEngine *engine)
{
  return &engine->cpu;
}

FxGpuOwner *
fx_engine_get_gpu_owner (const FxEngine *engine)
{
  return engine->owner;
}

/* Checking. */

gboolean
fx_device_check (FxDevice device, GError **error)
{
  return fx_check_choice ("device", (int) device, FX_DEVICE_CPU,
                          _ ("0 (automatic), 1 (GPU) or 2 (CPU)"), error);
}

static gboolean
check_plan (const FxPlan *plan, const FxFormat *format, GError **error)
{
  if (plan->missing)
    return fx_set_no_memory (error);
  if (fx_format_equal (&plan->codec.format, format))
    return TRUE;
  return fx_refuse (error, _ ("plan is for another format, but must be for the image's"));
}

/* Makes an automatic device the CPU if no GPU can run the plan. */
static gboolean
check_can_run (const FxPlan *plan, FxDevice *device, GError **error)
{
  if (! plan->cpu_only || plan->identity)
    return TRUE;
  if (*device == FX_DEVICE_GPU)
    return fx_refuse (error, _ ("The GPU cannot do this exactly. Choose the CPU or the automatic "
                                "device"));
  *device = FX_DEVICE_CPU;
  return TRUE;
}

gboolean
fx_engine_configure (FxEngine *engine, const FxPlan *plan, const FxFormat *format, FxDevice *device,
                     gsize *limit, GError **error)
{
  g_auto (FxConfig) read = { 0 };
  const FxConfig *config = engine->configured ? &engine->config : &read;

  if (! check_plan (plan, format, error) || ! fx_device_check (*device, error) ||
      (! engine->configured && ! fx_config_init (&read, *device, error)))
    return FALSE;
  if (*device == FX_DEVICE_AUTO)
    *device = config->device;
  *limit = config->memory_limit;
  engine->cpu.threads = config->threads > 0 ? config->threads : fx_threads_get_default ();
  fx_gpu_owner_set_config (engine->owner, config);
  return check_can_run (plan, device, error);
}

/* Running a pipeline. */

/* Returns staging memory of at least size bytes, or NULL. */
static gpointer
get_staging (FxEngine *engine, gsize size)
{
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): every attempt has its engine */
  FxGpu *gpu = fx_gpu_owner_peek_gpu (engine->owner);

  if (engine->staging_size >= size)
    return engine->staging;
  if (gpu)
    fx_gpu_pin (gpu, NULL, 0);
  free (engine->staging);
  engine->staging_size = 0;
  if (posix_memalign (&engine->staging, FX_PIPELINE_ALIGNMENT, size))
    engine->staging = NULL;
  else
    engine->staging_size = size;
  return engine->staging;
}

/* Runs the attempt with strips of at most memory bytes. device is NULL for a GPU that is not open.
 * resident records the resident part of the source, or is NULL. open, if not NULL, sets the
 * device. */
static gboolean
run_pipeline (Attempt *attempt, const FxBackend *backend, gpointer device, gsize memory,
              FxResidentSource *resident,
              gboolean (*open) (gpointer data, gpointer *device, GError **error), GError **error)
{
  FxEngine *engine = attempt->engine;
  FxPipelineJob job = {
    .backend = backend,
    .plan = attempt->plan,
    .image = attempt->image,
    .layout = fx_layout_new (backend, device, attempt->plan, attempt->image, resident != NULL,
                             memory),
    .resident = resident,
    .in_place = attempt->in_place,
    .device = device,
    .open = open,
    .data = attempt,
  };

  attempt->bytes = job.layout.bytes;
  attempt->fits = device && attempt->bytes <= memory;
  job.staging = get_staging (engine, fx_pipeline_get_staging_bytes (&job));
  if (! job.staging)
    return fx_set_no_memory (error);
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): every attempt has its engine */
  return fx_pipeline_run (engine->pipeline, &job, &attempt->caller_stopped, error);
}

/* The devices. */

static gboolean
run_on_cpu (Attempt *attempt, FxReport *report, GError **error)
{
  FxCpu *cpu = &attempt->engine->cpu;

  attempt->usual = ! fx_gpu_owner_is_warming_up (attempt->engine->owner);
  cpu->memory = MIN (CPU_MEMORY, attempt->limit);
  fx_report_set_cpu (report, cpu);
  attempt->in_place = TRUE;
  /* There is no fallback after the CPU, so it may exceed the limit. */
  return run_pipeline (attempt, &fx_cpu_backend, cpu, cpu->memory, NULL, NULL, error);
}

gboolean
fx_engine_has_lost_gpu (const FxEngine *engine)
{
  return fx_gpu_owner_has_lost_gpu (engine->owner);
}

/* If the free memory was not known before, checks it now. */
static gboolean
engine_check_memory (Attempt *attempt, FxGpu *gpu, GError **error)
{
  gsize available;

  if (attempt->fits)
    return TRUE;
  if (! fx_gpu_get_free_memory (gpu, &available, error))
    return FALSE;
  available = MIN (attempt->limit, available);
  return attempt->bytes <= available || fx_set_no_gpu_memory (attempt->bytes, available, error);
}

/* Called on the pipeline's thread, in parallel with the caller's first reads. */
static gboolean
open_gpu (gpointer data, gpointer *device, GError **error)
{
  Attempt *attempt = data;
  FxEngine *engine = attempt->engine;
  FxGpu *gpu = fx_gpu_owner_get_gpu (engine->owner, error);

  *device = gpu;
  if (! gpu || ! engine_check_memory (attempt, gpu, error))
    return FALSE;
  fx_gpu_pin (gpu, engine->staging, engine->staging_size);
  return TRUE;
}

/* Returns the record of the resident source for this run, or NULL if it is not to be resident. All
 * of the source must fit into half of the memory that the run may take; the rest is for the strips.
 * available is in bytes, without those that the GPU holds for a resident source. Sets memory to the
 * bytes left for the strips. */
static FxResidentSource *
get_resident (const Attempt *attempt, FxGpu *gpu, gsize available, gsize *memory)
{
  const FxImage *image = attempt->image;
  gsize source = fx_format_size (&image->format) * image->width * image->height;
  gsize all = MIN (attempt->limit, available + fx_gpu_get_held_memory (gpu));

  if (! image->resident || source > all / 2)
    return NULL;
  if (! fx_gpu_lease_source (gpu, image->resident, source))
    fx_resident_source_change (image->resident, 0, image->height);
  *memory = all - source;
  return image->resident;
}

/* One attempt. It uses the memory that is free now, or all of the limit if the GPU is not open yet.
 * After an attempt that ran out of memory, it uses at most half of what that took. */
static gboolean
try_gpu (Attempt *attempt, GError **error)
{
  FxGpu *gpu = fx_gpu_owner_peek_gpu (attempt->engine->owner);
  gsize memory = attempt->limit, available;
  FxResidentSource *resident = NULL;

  if (gpu)
    {
      if (! fx_gpu_get_free_memory (gpu, &available, error))
        return FALSE;
      memory = MIN (memory, available);
      if (attempt->bytes)
        memory = MIN (memory, attempt->bytes / 2);
      else
        resident = get_resident (attempt, gpu, available, &memory);
    }
  return run_pipeline (attempt, &fx_gpu_backend, gpu, memory, resident, open_gpu, error);
}

static gboolean
run_on_gpu (Attempt *attempt, FxReport *report, GError **error)
{
  FxGpuOwner *owner = attempt->engine->owner;
  g_autoptr (GError) failure = NULL;

  for (int i = 0; i < GPU_TRIES; i++)
    {
      attempt->usual = attempt->ready && i == 0;
      g_clear_error (&failure);
      if (try_gpu (attempt, &failure))
        {
          fx_report_set_gpu (report, fx_gpu_owner_peek_gpu (owner));
          return TRUE;
        }
      if (attempt->caller_stopped || ! fx_gpu_owner_peek_gpu (owner) ||
          ! g_error_matches (failure, FX_ERROR, FX_ERROR_MEMORY))
        break;
      fx_gpu_trim (fx_gpu_owner_peek_gpu (owner));
    }
  if (! attempt->caller_stopped)
    fx_gpu_owner_check_gpu (owner, &failure);
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

/* Choosing. */

typedef enum {
  CHOICE_GPU,
  CHOICE_CPU,       /* which is faster */
  CHOICE_NOT_READY, /* the CPU, because the GPU is not ready */
} Choice;

/* Returns whether the GPU is ready. The texts of the programs, which this composes, take 30
 * microseconds. */
static gboolean
find_gpu (Attempt *attempt)
{
  const FxUse use = { .plan = attempt->plan };

  attempt->ready = fx_gpu_owner_find_gpu (attempt->engine->owner, &use) != NULL;
  return attempt->ready;
}

/* Returns the device for all of the picture. */
static FxDevice
choose_device (Attempt *attempt)
{
  FxPicture *picture = &attempt->engine->picture;
  FxDevice device, alternative;

  if (fx_picture_goes_on (picture, attempt->plan, attempt->image))
    return picture->device;
  device = fx_task_choose (&attempt->task, &alternative);
  if (alternative != device && find_gpu (attempt))
    device = alternative;
  fx_picture_begin (picture, attempt->plan, attempt->image, device);
  return device;
}

/* The automatic choice. */
static Choice
engine_choose (Attempt *attempt)
{
  const FxTask *task = &attempt->task;
  double open = fx_gpu_get_cost ()->open;

  attempt->task = fx_task_new (attempt->plan, attempt->image, &attempt->engine->cpu);
  if (choose_device (attempt) == FX_DEVICE_CPU)
    return CHOICE_CPU;
  if (attempt->ready || find_gpu (attempt))
    return CHOICE_GPU;
  return attempt->engine->waits &&
             fx_task_expect (task, FX_DEVICE_GPU) + open <= fx_task_expect (task, FX_DEVICE_CPU)
           ? CHOICE_GPU
           : CHOICE_NOT_READY;
}

/* Runs on the CPU. If more runs will follow, warms the GPU up for the next one: now or, if this run
 * is short, after it, because both map memory and the warm-up would slow it down. */
static gboolean
run_while_not_ready (Attempt *attempt, FxReport *report, GError **error)
{
  FxEngine *engine = attempt->engine;
  const FxUse use = { .plan = attempt->plan };
  gboolean after = ! engine->waits &&
                   fx_task_expect (&attempt->task, FX_DEVICE_CPU) < 2.0 * fx_gpu_get_cost ()->open;
  gboolean done;

  if (engine->warms_up && ! after)
    fx_gpu_owner_warm_up (engine->owner, &use);
  done = run_on_cpu (attempt, report, error);
  fx_report_fall_back (report, fx_gpu_owner_get_reason (engine->owner)); /* may be known by now */
  if (engine->warms_up && after)
    fx_gpu_owner_warm_up (engine->owner, &use);
  return done;
}

/* Runs on the GPU, or on the CPU if the GPU fails and the device is automatic. */
static gboolean
run_on_gpu_first (Attempt *attempt, FxDevice device, FxReport *report, GError **error)
{
  g_autoptr (GError) failure = NULL;
  gboolean done;

  if (run_on_gpu (attempt, report, &failure))
    return TRUE;
  if (device == FX_DEVICE_GPU || attempt->caller_stopped)
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      return FALSE;
    }
  fx_warn_of_failure (failure);
  fx_report_fall_back (report, failure->message);
  attempt->engine->picture.device = FX_DEVICE_CPU;
  done = run_on_cpu (attempt, report, error);
  attempt->usual = FALSE;
  return done;
}

static gboolean
run_on (Attempt *attempt, FxDevice device, FxReport *report, GError **error)
{
  Choice choice = device == FX_DEVICE_AUTO ? engine_choose (attempt) : CHOICE_GPU;

  if (choice == CHOICE_NOT_READY)
    return run_while_not_ready (attempt, report, error);
  if (choice == CHOICE_CPU)
    fx_report_fall_back (report, _ ("The CPU may be faster for this"));
  if (choice == CHOICE_CPU || device == FX_DEVICE_CPU)
    return run_on_cpu (attempt, report, error);
  return run_on_gpu_first (attempt, device, report, error);
}

double
fx_engine_expect_gpu (FxEngine *engine, FxPlan *plan, FxDevice device, const FxImage *image)
{
  Attempt attempt = { .engine = engine, .plan = plan, .image = image };
  double gpu;

  g_return_val_if_fail (engine && plan && image, INFINITY);
  if (! fx_engine_configure (engine, plan, &image->format, &device, &attempt.limit, NULL) ||
      device == FX_DEVICE_CPU)
    return INFINITY;
  attempt.task = fx_task_new (plan, image, &engine->cpu);
  gpu = fx_task_expect (&attempt.task, FX_DEVICE_GPU);
  if ((device == FX_DEVICE_AUTO && fx_task_expect (&attempt.task, FX_DEVICE_CPU) < gpu) ||
      ! find_gpu (&attempt))
    return INFINITY;
  return gpu;
}

gboolean
fx_engine_run (FxEngine *engine, FxPlan *plan, FxDevice device, const FxImage *image,
               FxReport *report, GError **error)
{
  gint64 start = g_get_monotonic_time ();
  Attempt attempt = { .engine = engine, .plan = plan, .image = image };
  FxReport done = { 0 };

  g_return_val_if_fail (engine && plan && image, FALSE);
  if (! fx_image_check (image, error) ||
      ! fx_engine_configure (engine, plan, &image->format, &device, &attempt.limit, error))
    return FALSE;
  if (plan->identity)
    {
      fx_report_set_cpu (&done, &engine->cpu);
      if (! fx_image_copy (image, error))
        return FALSE;
    }
  else if (! run_on (&attempt, device, &done, error))
    return FALSE;
  done.milliseconds = (g_get_monotonic_time () - start) / 1000.0;
  if (device == FX_DEVICE_AUTO && attempt.usual)
    fx_task_learn (&attempt.task, done.device, done.milliseconds);
  if (report)
    *report = done;
  return TRUE;
}
