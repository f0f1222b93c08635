#include "engine-gpu.h"
#include "show.h"
#include "pipeline.h"
#include "trace.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

#define CPU_MEMORY ((gsize) 1 << 30) /* bytes a strip may take on the CPU */
#define COPY_ROWS  128
#define COPY_BYTES ((gsize) 16 << 20)
#define GPU_TRIES  3  /* each with half the memory of the one before */
#define PAUSE_MAX  64 /* runs between two tries to get a GPU ready */

/* A GPU that is made ready on a thread of its own, for runs of a plan or for views of what they
 * give. */
typedef struct {
  GThread *thread;
  BlurPlan *plan;
  gboolean shows;
  FxFormat shown; /* of the image that the views are of */
  FxGpu *gpu;     /* NULL: to be opened */
  GError *error;  /* why it is not ready */
  gint done;      /* atomic */
} Warming;

struct FxEngine {
  gboolean lasting;
  FxPipeline *pipeline;
  gpointer staging; /* of the pipeline's jobs */
  gsize staging_size;
  FxGpu *gpu;       /* NULL until a run wants it, while it warms, and after it failed */
  Warming *warming; /* or NULL */
  GError *cold;     /* why the last warming failed, or why there is nothing to warm, or NULL */
  int pause;        /* runs until the next try, each time twice as many as before */
  int runs;         /* that are left of them */
};

/* One attempt on one device. */
typedef struct {
  FxEngine *engine;
  BlurPlan *plan;
  const FxImage *image;
  gsize limit;             /* bytes a strip may take at the most */
  gboolean fits;           /* the layout is known to, into the GPU's memory */
  gsize bytes;             /* bytes that the last one took, or would have; 0: there was none */
  gboolean caller_stopped; /* a callback failed or cancelled: no other device would do better */
} Attempt;

FxEngine *
fx_engine_new (void)
{
  FxEngine *engine = g_new0 (FxEngine, 1);

  engine->pipeline = fx_pipeline_new ();
  engine->pause = 1;
  return engine;
}

void
fx_engine_set_lasting (FxEngine *engine)
{
  engine->lasting = TRUE;
}

/* Warming. */

static gboolean
get_ready (Warming *warming)
{
  if (! fx_gpu_use (warming->gpu, &warming->error))
    return FALSE;
  if (warming->shows)
    return fx_gpu_get_ready_to_show (warming->gpu, warming->plan, &warming->shown, &warming->error);
  return fx_gpu_get_ready (warming->gpu, warming->plan, &warming->error);
}

static gpointer
warm (gpointer data)
{
  Warming *warming = data;

  if (! warming->gpu)
    warming->gpu = fx_gpu_open (&warming->error);
  if (warming->gpu && ! get_ready (warming) && ! fx_gpu_is_alive (warming->gpu))
    g_clear_pointer (&warming->gpu, fx_gpu_close);
  g_atomic_int_set (&warming->done, TRUE);
  return NULL;
}

/* Takes the GPU out of use until it is ready for runs of plan or, where shown is not NULL, for
 * views of what they give of an image of that format. */
static void
start_warming (FxEngine *engine, BlurPlan *plan, const FxFormat *shown)
{
  Warming *warming = g_new0 (Warming, 1);

  warming->plan = blur_plan_ref (plan);
  warming->shows = shown != NULL;
  if (shown)
    warming->shown = *shown;
  if (engine->gpu)
    fx_gpu_pin (engine->gpu, NULL, 0); /* the staging memory may go before it is back */
  warming->gpu = g_steal_pointer (&engine->gpu);
  warming->thread = g_thread_new ("cuda-blur-warm", warm, warming);
  engine->warming = warming;
}

/* Enters why there is no GPU ready, or NULL: there may be one. */
static void
set_cold (FxEngine *engine, GError *reason)
{
  g_clear_error (&engine->cold);
  engine->cold = reason;
  engine->runs = engine->pause;
  engine->pause = reason ? MIN (2 * engine->pause, PAUSE_MAX) : 1;
}

/* Whether to get the GPU ready, or to wait until it is. What failed may go well later, when another
 * has given memory back, or a driver is there: it is tried again, ever more rarely. */
static gboolean
may_warm (FxEngine *engine)
{
  GError *reason = NULL;

  if (engine->cold && engine->runs > 0)
    {
      engine->runs--;
      return FALSE;
    }
  if (engine->gpu || engine->warming || fx_gpu_has_driver (&reason))
    return TRUE;
  set_cold (engine, reason);
  return FALSE;
}

/* Puts the GPU back into use, if it is ready or if it is to be waited for. */
static void
end_warming (FxEngine *engine, gboolean wait)
{
  Warming *warming = engine->warming;

  if (! warming || ! (wait || g_atomic_int_get (&warming->done)))
    return;
  g_thread_join (warming->thread);
  engine->gpu = warming->gpu;
  set_cold (engine, warming->error);
  engine->warming = NULL;
  blur_plan_free (warming->plan);
  g_free (warming);
}

void
fx_engine_free (FxEngine *engine)
{
  if (! engine)
    return;
  end_warming (engine, TRUE);
  fx_pipeline_free (engine->pipeline);
  fx_gpu_close (engine->gpu);
  g_clear_error (&engine->cold);
  free (engine->staging);
  g_free (engine);
}

/* Checking. */

static gboolean
check_format (const FxFormat *format, GError **error)
{
  if (format->channels >= 1 && format->channels <= 4 && (int) format->sample >= 0 &&
      format->sample <= FX_SAMPLE_DOUBLE)
    return TRUE;
  g_set_error (error, FX_ERROR, FX_ERROR_ARGUMENT,
               _("format is %d channels of sample type %d, but must be 1 to 4 of type 0 to %d"),
               format->channels, (int) format->sample, FX_SAMPLE_DOUBLE);
  return FALSE;
}

static gboolean
check_image (const FxImage *image, GError **error)
{
  const FxRect *r = &image->region;

  if (image->width < 1 || image->height < 1 || image->width > FX_SIZE_MAX ||
      image->height > FX_SIZE_MAX)
    g_set_error (error, FX_ERROR, FX_ERROR_ARGUMENT,
                 _("image is %d x %d pixels, but must be 1 x 1 to %d x %d"), image->width,
                 image->height, FX_SIZE_MAX, FX_SIZE_MAX);
  else if (r->x < 0 || r->y < 0 || r->width < 1 || r->height < 1 ||
           r->width > image->width - r->x || r->height > image->height - r->y)
    g_set_error (error, FX_ERROR, FX_ERROR_ARGUMENT,
                 _("region is %d x %d pixels at %d, %d, but must lie within the image of %d x %d"),
                 r->width, r->height, r->x, r->y, image->width, image->height);
  else if (! image->read || ! image->write)
    g_set_error (error, FX_ERROR, FX_ERROR_ARGUMENT,
                 _("read or write is missing, but the image needs both"));
  else
    return check_format (&image->format, error);
  return FALSE;
}

/* The environment. */

gboolean
fx_engine_get_device (FxDevice wanted, FxDevice *device, GError **error)
{
  static const char *const names[] = { "auto", "gpu", "cpu" };
  const char *value = g_getenv ("CUDA_BLUR_DEVICE");
  guint i;

  *device = wanted;
  if (wanted != FX_DEVICE_AUTO || ! value || ! *value)
    return TRUE;
  for (i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (value, names[i]) == 0)
      {
        *device = (FxDevice) i;
        return TRUE;
      }
  g_set_error (error, FX_ERROR, FX_ERROR_ARGUMENT,
               _("CUDA_BLUR_DEVICE is \"%s\", but must be auto, gpu or cpu"), value);
  return FALSE;
}

/* Bytes, or with K, M or G; no limit where it is unset. */
gboolean
fx_engine_get_memory_limit (gsize *limit, GError **error)
{
  static const char units[] = "KMG";
  const char *value = g_getenv ("CUDA_BLUR_MEMORY_LIMIT");
  const char *unit;
  char *end;
  guint64 number;
  int shift = 0;

  *limit = G_MAXSIZE;
  if (! value || ! *value)
    return TRUE;
  number = g_ascii_strtoull (value, &end, 10);
  if (*end && (unit = strchr (units, g_ascii_toupper (*end))))
    {
      shift = 10 * (int) (unit - units + 1);
      end++;
    }
  if (! g_ascii_isdigit (*value) || *end || number == 0 || number > (G_MAXSIZE >> shift))
    {
      g_set_error (error, FX_ERROR, FX_ERROR_ARGUMENT,
                   _("CUDA_BLUR_MEMORY_LIMIT is \"%s\", but must be a number of bytes, or one with "
                     "K, M or G"),
                   value);
      return FALSE;
    }
  *limit = (gsize) (number << shift);
  return TRUE;
}

/* Running a pipeline. */

static gboolean
set_no_memory (GError **error)
{
  g_set_error (error, FX_ERROR, FX_ERROR_MEMORY, _("There is not enough memory for the blur"));
  return FALSE;
}

/* Staging memory of at least size bytes. */
static gpointer
get_staging (FxEngine *engine, gsize size)
{
  if (engine->staging_size < size)
    {
      if (engine->gpu)
        fx_gpu_pin (engine->gpu, NULL, 0);
      free (engine->staging);
      engine->staging_size = 0;
      if (posix_memalign (&engine->staging, FX_PIPELINE_ALIGNMENT, size))
        engine->staging = NULL;
      else
        engine->staging_size = size;
    }
  return engine->staging;
}

/* Reads, blurs and writes the image with strips of at most memory bytes. */
static gboolean
run_pipeline (Attempt *attempt, const FxBackend *backend, gsize memory,
              gboolean (*open) (gpointer data, gpointer *device, GError **error), GError **error)
{
  FxPipelineJob job = {
    .backend = backend,
    .plan = attempt->plan,
    .image = attempt->image,
    .layout = fx_layout_new (attempt->plan, attempt->image, backend->get_bytes, memory),
    .open = open,
    .data = attempt,
  };

  attempt->bytes = job.layout.bytes;
  attempt->fits = attempt->engine->gpu && attempt->bytes <= memory;
  job.staging = get_staging (attempt->engine, fx_pipeline_get_staging_bytes (&job));
  if (! job.staging)
    return set_no_memory (error);
  return fx_pipeline_run (attempt->engine->pipeline, &job, &attempt->caller_stopped, error);
}

/* Parameters that change nothing: the pixels as they are, not by way of floats. */
static gboolean
copy_image (const FxImage *image, GError **error)
{
  FxRect rect = image->region;
  int end = rect.y + rect.height;
  gsize stride = rect.width * fx_format_size (&image->format);
  int rows = (int) CLAMP (COPY_BYTES / stride, 1, COPY_ROWS);
  g_autofree gpointer pixels = g_try_malloc_n (rows, stride);

  if (! pixels)
    return set_no_memory (error);
  if (! fx_pipeline_report (image, 0.0, error))
    return FALSE;
  for (; rect.y < end; rect.y += rect.height)
    {
      rect.height = MIN (rows - rect.y % rows, end - rect.y);
      if (! image->read (image->data, &rect, pixels, stride, error) ||
          ! image->write (image->data, &rect, pixels, stride, error) ||
          ! fx_pipeline_report (image,
                                1.0 - (end - rect.y - rect.height) / (double) image->region.height,
                                error))
        return FALSE;
    }
  return TRUE;
}

/* The devices. */

/* Nothing to open. */
static gboolean
open_cpu (gpointer data, gpointer *device, GError **error)
{
  return TRUE;
}

static gboolean
run_on_cpu (Attempt *attempt, FxReport *report, GError **error)
{
  fx_cpu_report (report);
  /* It does what it must with what that takes: nothing comes after it. */
  return run_pipeline (attempt, &fx_cpu_backend, MIN (CPU_MEMORY, attempt->limit), open_cpu, error);
}

/* Whether a strip fits into bytes. */
static gboolean
check_memory (const Attempt *attempt, gsize bytes, GError **error)
{
  if (attempt->bytes <= bytes)
    return TRUE;
  g_set_error (error, FX_ERROR, FX_ERROR_MEMORY,
               _("The blur needs at least %.1f MB of GPU memory, but may take %.1f MB"),
               attempt->bytes / 1e6, bytes / 1e6);
  return FALSE;
}

FxGpu *
fx_engine_get_gpu (FxEngine *engine, GError **error)
{
  end_warming (engine, TRUE);
  if (! engine->gpu && ! (engine->gpu = fx_gpu_open (error)))
    return NULL;
  set_cold (engine, NULL);
  return fx_gpu_use (engine->gpu, error) ? engine->gpu : NULL;
}

FxGpu *
fx_engine_wait_for_gpu (FxEngine *engine)
{
  end_warming (engine, TRUE);
  return engine->gpu;
}

gboolean
fx_engine_is_warming (const FxEngine *engine)
{
  return engine->warming != NULL;
}

void
fx_engine_check_gpu (FxEngine *engine)
{
  if (engine->gpu && ! fx_gpu_is_alive (engine->gpu))
    g_clear_pointer (&engine->gpu, fx_gpu_close);
}

/* On the pipeline's thread, beside the caller's first reads. */
static gboolean
open_gpu (gpointer data, gpointer *device, GError **error)
{
  Attempt *attempt = data;
  FxEngine *engine = attempt->engine;
  gsize available;

  *device = fx_engine_get_gpu (engine, error);
  if (! *device ||
      (! attempt->fits && (! fx_gpu_get_free_memory (engine->gpu, &available, error) ||
                           ! check_memory (attempt, MIN (attempt->limit, available), error))))
    return FALSE;
  fx_gpu_pin (engine->gpu, engine->staging, engine->staging_size);
  return TRUE;
}

/* One attempt: with the memory that is there now; with all of it, where nobody knows yet; after one
 * that ran out, with half of what that took at the most. */
static gboolean
try_gpu (Attempt *attempt, GError **error)
{
  gsize memory = attempt->limit, available;

  if (attempt->engine->gpu)
    {
      if (! fx_gpu_get_free_memory (attempt->engine->gpu, &available, error))
        return FALSE;
      memory = MIN (memory, available);
      if (attempt->bytes)
        memory = MIN (memory, attempt->bytes / 2);
    }
  return run_pipeline (attempt, &fx_gpu_backend, memory, open_gpu, error);
}

static gboolean
run_on_gpu (Attempt *attempt, FxReport *report, GError **error)
{
  FxEngine *engine = attempt->engine;
  g_autoptr (GError) failure = NULL;
  int i;

  for (i = 0; i < GPU_TRIES; i++)
    {
      g_clear_error (&failure);
      if (try_gpu (attempt, &failure))
        {
          report->device = FX_DEVICE_GPU;
          g_strlcpy (report->device_name, fx_gpu_get_name (engine->gpu),
                     sizeof report->device_name);
          return TRUE;
        }
      if (attempt->caller_stopped || ! engine->gpu ||
          ! g_error_matches (failure, FX_ERROR, FX_ERROR_MEMORY))
        break;
      fx_gpu_trim (engine->gpu);
    }
  if (! attempt->caller_stopped)
    fx_engine_check_gpu (engine);
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

/* The first line of a message that may hold a compiler's log, as far as it fits. */
static void
set_fallback (FxReport *report, const char *message)
{
  gsize length = strcspn (message, "\n");
  gsize size = MIN (length, sizeof report->fallback - 1);
  const char *end;

  memcpy (report->fallback, message, size);
  report->fallback[size] = '\0';
  if (! g_utf8_validate (report->fallback, -1, &end)) /* cut within a character */
    report->fallback[end - report->fallback] = '\0';
}

void
fx_report_fall_back (FxReport *report, const char *reason)
{
  set_fallback (report, reason);
  fx_trace ("fallback", g_get_monotonic_time (), 0, "%s", reason);
}

/* The automatic choice: what costs less now. Returns NULL for the GPU, else why it is the CPU. A
 * GPU that would cost less if it were ready is made so for the next run, where there will be one.
 */
static const char *
choose_cpu (FxEngine *engine, BlurPlan *plan, const FxImage *image)
{
  const FxGpuCost *cost = fx_gpu_get_cost ();
  double pixels = (double) image->region.width * image->region.height;
  double cpu = fx_cpu_get_cost (plan, pixels);
  double gpu = cost->run + cost->megabyte * pixels / 1e6 * fx_format_size (&image->format);

  end_warming (engine, FALSE);
  if (engine->gpu && fx_gpu_is_ready (engine->gpu, plan) && gpu <= cpu)
    return NULL;
  if (gpu > cpu)
    return _("For so few pixels the CPU is faster");
  if (gpu + cost->open <= cpu)
    return NULL;
  if (may_warm (engine) && engine->lasting && ! engine->warming)
    start_warming (engine, plan, NULL);
  return engine->cold ? engine->cold->message : _("The CPU is done before the GPU would be ready");
}

FxGpu *
fx_engine_find_gpu (FxEngine *engine, BlurPlan *plan, const FxFormat *format, GError **error)
{
  end_warming (engine, FALSE);
  if (engine->gpu && fx_gpu_is_ready_to_show (engine->gpu, plan, format))
    return fx_gpu_use (engine->gpu, error) ? engine->gpu : NULL;
  if (may_warm (engine) && ! engine->warming)
    start_warming (engine, plan, format);
  if (engine->cold)
    {
      g_propagate_error (error, g_error_copy (engine->cold));
      return NULL;
    }
  g_set_error_literal (error, FX_ERROR, FX_ERROR_UNAVAILABLE,
                       _("The CPU is done before the GPU would be ready"));
  return NULL;
}

static gboolean
run_on (Attempt *attempt, FxDevice device, FxReport *report, GError **error)
{
  const char *reason = NULL;
  g_autoptr (GError) failure = NULL;

  if (device == FX_DEVICE_AUTO)
    reason = choose_cpu (attempt->engine, attempt->plan, attempt->image);
  if (reason)
    fx_report_fall_back (report, reason);
  else if (device != FX_DEVICE_CPU)
    {
      if (run_on_gpu (attempt, report, &failure))
        return TRUE;
      if (device == FX_DEVICE_GPU || attempt->caller_stopped)
        {
          g_propagate_error (error, g_steal_pointer (&failure));
          return FALSE;
        }
      fx_report_fall_back (report, failure->message);
    }
  return run_on_cpu (attempt, report, error);
}

gboolean
fx_engine_run (FxEngine *engine, const BlurParams *params, const FxImage *image, FxReport *report,
               GError **error)
{
  gint64 start = g_get_monotonic_time ();
  g_autoptr (BlurPlan) plan = NULL;
  Attempt attempt = { .engine = engine, .image = image };
  FxReport done = { 0 };
  FxDevice device;

  g_return_val_if_fail (engine && params && image, FALSE);
  if (! blur_params_check (params, error) || ! check_image (image, error) ||
      ! fx_engine_get_device (params->device, &device, error) ||
      ! fx_engine_get_memory_limit (&attempt.limit, error))
    return FALSE;
  if (blur_params_is_identity (params))
    {
      fx_cpu_report (&done);
      if (! copy_image (image, error))
        return FALSE;
    }
  else
    {
      attempt.plan = plan = blur_plan_new (params, &image->format);
      if (! run_on (&attempt, device, &done, error))
        return FALSE;
    }
  done.milliseconds = (g_get_monotonic_time () - start) / 1000.0;
  if (report)
    *report = done;
  return TRUE;
}
