#include "backend.h"
#include "gpu.h"
#include "trace.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define CPU_MEMORY ((gsize) 1 << 30) /* bytes a strip may take on the CPU */
#define COPY_ROWS  128
#define COPY_BYTES ((gsize) 16 << 20)
#define GPU_TRIES  3                 /* each with half the memory of the one before */

struct BlurEngine {
  BlurGpu *gpu; /* NULL until a run wants it, and after it failed */
};

/* One attempt on one device. */
typedef struct {
  const BlurBackend *backend;
  gpointer device;
  const BlurPlan *plan;
  const BlurImage *image;
  gsize memory;            /* bytes a strip may take */
  gsize bytes;             /* bytes that it did take, or would have */
  gboolean caller_stopped; /* a callback failed or cancelled: no other device would do better */
} Attempt;

BlurEngine *
blur_engine_new (void)
{
  return g_new0 (BlurEngine, 1);
}

void
blur_engine_free (BlurEngine *engine)
{
  if (! engine)
    return;
  blur_gpu_close (engine->gpu);
  g_free (engine);
}

/* Checking. */

static gboolean
check_format (const BlurFormat *format, GError **error)
{
  if (format->channels >= 1 && format->channels <= 4 && (int) format->sample >= 0 &&
      format->sample <= BLUR_SAMPLE_DOUBLE)
    return TRUE;
  g_set_error (error, BLUR_ERROR, BLUR_ERROR_ARGUMENT,
               _("format is %d channels of sample type %d, but must be 1 to 4 of type 0 to %d"),
               format->channels, (int) format->sample, BLUR_SAMPLE_DOUBLE);
  return FALSE;
}

static gboolean
check_image (const BlurImage *image, GError **error)
{
  const BlurRect *r = &image->region;

  if (image->width < 1 || image->height < 1 || image->width > BLUR_SIZE_MAX ||
      image->height > BLUR_SIZE_MAX)
    g_set_error (error, BLUR_ERROR, BLUR_ERROR_ARGUMENT,
                 _("image is %d x %d pixels, but must be 1 x 1 to %d x %d"), image->width,
                 image->height, BLUR_SIZE_MAX, BLUR_SIZE_MAX);
  else if (r->x < 0 || r->y < 0 || r->width < 1 || r->height < 1 ||
           r->width > image->width - r->x || r->height > image->height - r->y)
    g_set_error (error, BLUR_ERROR, BLUR_ERROR_ARGUMENT,
                 _("region is %d x %d pixels at %d, %d, but must lie within the image of %d x %d"),
                 r->width, r->height, r->x, r->y, image->width, image->height);
  else if (! image->read || ! image->write)
    g_set_error (error, BLUR_ERROR, BLUR_ERROR_ARGUMENT,
                 _("read or write is missing, but the image needs both"));
  else
    return check_format (&image->format, error);
  return FALSE;
}

/* The environment. */

static gboolean
get_device (BlurDevice wanted, BlurDevice *device, GError **error)
{
  static const char *const names[] = { "auto", "gpu", "cpu" };
  const char *value = g_getenv ("CUDA_BLUR_DEVICE");
  guint i;

  *device = wanted;
  if (wanted != BLUR_DEVICE_AUTO || ! value || ! *value)
    return TRUE;
  for (i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (value, names[i]) == 0)
      {
        *device = (BlurDevice) i;
        return TRUE;
      }
  g_set_error (error, BLUR_ERROR, BLUR_ERROR_ARGUMENT,
               _("CUDA_BLUR_DEVICE is \"%s\", but must be auto, gpu or cpu"), value);
  return FALSE;
}

/* Bytes, or with K, M or G; no limit where it is unset. */
static gboolean
get_memory_limit (gsize *limit, GError **error)
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
      g_set_error (error, BLUR_ERROR, BLUR_ERROR_ARGUMENT,
                   _("CUDA_BLUR_MEMORY_LIMIT is \"%s\", but must be a number of bytes, or one with "
                     "K, M or G"), value);
      return FALSE;
    }
  *limit = (gsize) (number << shift);
  return TRUE;
}

/* Walking an image. */

static gboolean
set_cancelled (GError **error)
{
  g_set_error (error, BLUR_ERROR, BLUR_ERROR_CANCELLED, _("The blur was cancelled"));
  return FALSE;
}

static gboolean
report_progress (Attempt *attempt, double fraction, GError **error)
{
  const BlurImage *image = attempt->image;

  if (! image->progress || image->progress (image->data, fraction))
    return TRUE;
  attempt->caller_stopped = TRUE;
  return set_cancelled (error);
}

/* Up to which row a chunk goes that starts at y: to the next multiple of its size. */
static int
get_chunk_end (const BlurStrip *strip, int y, int end)
{
  return (int) MIN ((gint64) end, ((gint64) y / strip->chunk_rows + 1) * strip->chunk_rows);
}

static gboolean
push_rows (Attempt *attempt, BlurRun *run, int y, int rows, GError **error)
{
  const BlurImage *image = attempt->image;
  BlurRect rect = { run->strip.source_x0, y, run->strip.source_x1 - run->strip.source_x0, rows };
  gsize stride = rect.width * blur_format_size (&image->format);

  if (image->read (image->data, &rect, run->source, stride, error))
    return run->backend->push (run, y, rows, error);
  attempt->caller_stopped = TRUE;
  return FALSE;
}

static gboolean
pull_rows (Attempt *attempt, BlurRun *run, int y, int rows, GError **error)
{
  const BlurImage *image = attempt->image;
  BlurRect rect = { run->strip.x0, y, run->strip.x1 - run->strip.x0, rows };
  gsize stride = rect.width * blur_format_size (&image->format);

  if (! run->backend->pull (run, y, rows, error))
    return FALSE;
  attempt->caller_stopped = ! image->write (image->data, &rect, run->result, stride, error);
  return ! attempt->caller_stopped;
}

/* Up to which row the source must be in before the result is complete up to row end. */
static int
get_need (const BlurRun *run, int end)
{
  if (run->backend->needs_all (run->plan))
    return run->strip.source_y1;
  return (int) MIN ((gint64) run->strip.source_y1, (gint64) end + run->plan->y.reach);
}

/* All chunks of one strip; first and last: the strip's share of the progress, half of which is for
 * the source, half for the result. */
static gboolean
walk_strip (Attempt *attempt, BlurRun *run, double first, double last, GError **error)
{
  const BlurStrip *strip = &run->strip;
  double half = (last - first) / 2.0;
  double source_rows = strip->source_y1 - strip->source_y0;
  double result_rows = strip->y1 - strip->y0;
  int next = strip->source_y0; /* the source row to push next */
  int y, end;

  for (y = strip->y0; y < strip->y1; y = end)
    {
      end = get_chunk_end (strip, y, strip->y1);
      while (next < get_need (run, end))
        {
          int stop = get_chunk_end (strip, next, strip->source_y1);

          if (! push_rows (attempt, run, next, stop - next, error))
            return FALSE;
          next = stop;
          if (! report_progress (attempt, first + half * ((next - strip->source_y0) / source_rows +
                                                          (y - strip->y0) / result_rows), error))
            return FALSE;
        }
      if (! pull_rows (attempt, run, y, end - y, error) ||
          ! report_progress (attempt, first + half * ((next - strip->source_y0) / source_rows +
                                                      (end - strip->y0) / result_rows), error))
        return FALSE;
    }
  return TRUE;
}

/* The CPU does what it must with what that takes: nothing comes after it. */
static gboolean
check_memory (const Attempt *attempt, const BlurLayout *layout, GError **error)
{
  if (layout->bytes <= attempt->memory || attempt->backend == &blur_cpu_backend)
    return TRUE;
  g_set_error (error, BLUR_ERROR, BLUR_ERROR_MEMORY,
               _("The blur needs at least %.1f MB of GPU memory, but may take %.1f MB"),
               layout->bytes / 1e6, attempt->memory / 1e6);
  return FALSE;
}

static gboolean
walk_image (Attempt *attempt, GError **error)
{
  const BlurImage *image = attempt->image;
  int x0 = image->region.x;
  int width = image->region.width;
  BlurLayout layout = blur_plan_get_layout (attempt->plan, image,
                                            attempt->backend->get_bytes, attempt->memory);
  int x;

  attempt->bytes = layout.bytes;
  if (! check_memory (attempt, &layout, error) || ! report_progress (attempt, 0.0, error))
    return FALSE;
  for (x = x0; x - x0 < width;)
    {
      BlurStrip strip = blur_plan_get_strip (attempt->plan, image, &layout, x);
      BlurRun *run = attempt->backend->begin (attempt->device, attempt->plan, &strip, error);
      gboolean done;

      if (! run)
        return FALSE;
      done = walk_strip (attempt, run, (strip.x0 - x0) / (double) width,
                         (strip.x1 - x0) / (double) width, error);
      attempt->backend->end (run);
      if (! done)
        return FALSE;
      x = strip.x1;
    }
  return TRUE;
}

/* Parameters that change nothing: the pixels as they are, not by way of floats. */
static gboolean
copy_image (const BlurImage *image, GError **error)
{
  BlurRect rect = image->region;
  int end = rect.y + rect.height;
  gsize stride = rect.width * blur_format_size (&image->format);
  int rows = (int) CLAMP (COPY_BYTES / stride, 1, COPY_ROWS);
  g_autofree gpointer pixels = g_try_malloc_n (rows, stride);

  if (! pixels)
    {
      g_set_error (error, BLUR_ERROR, BLUR_ERROR_MEMORY, _("There is not enough memory"));
      return FALSE;
    }
  if (image->progress && ! image->progress (image->data, 0.0))
    return set_cancelled (error);
  for (; rect.y < end; rect.y += rect.height)
    {
      rect.height = MIN (rows - rect.y % rows, end - rect.y);
      if (! image->read (image->data, &rect, pixels, stride, error) ||
          ! image->write (image->data, &rect, pixels, stride, error))
        return FALSE;
      if (image->progress &&
          ! image->progress (image->data,
                             1.0 - (end - rect.y - rect.height) / (double) image->region.height))
        return set_cancelled (error);
    }
  return TRUE;
}

/* The devices. */

static void
report_cpu (BlurReport *report)
{
  report->device = BLUR_DEVICE_CPU;
  g_snprintf (report->device_name, sizeof report->device_name, _("CPU, %d threads"),
              blur_cpu_get_threads ());
}

static gboolean
run_on_cpu (const BlurPlan *plan, const BlurImage *image, BlurReport *report, GError **error)
{
  Attempt attempt = { .backend = &blur_cpu_backend, .plan = plan, .image = image };
  gsize limit;

  if (! get_memory_limit (&limit, error))
    return FALSE;
  attempt.memory = MIN (CPU_MEMORY, limit);
  report_cpu (report);
  return walk_image (&attempt, error);
}

/* One attempt with the memory that is there now, or, after one that ran out, with half of what that
 * took at the most. */
static gboolean
try_gpu (Attempt *attempt, gsize limit, GError **error)
{
  gsize available;

  if (! blur_gpu_get_free_memory (attempt->device, &available, error))
    return FALSE;
  attempt->memory = MIN (MIN (limit, available), attempt->bytes ? attempt->bytes / 2 : G_MAXSIZE);
  return walk_image (attempt, error);
}

static gboolean
run_on_gpu (BlurEngine *engine, const BlurPlan *plan, const BlurImage *image, BlurReport *report,
            gboolean *caller_stopped, GError **error)
{
  Attempt attempt = { .backend = &blur_gpu_backend, .plan = plan, .image = image };
  g_autoptr (GError) failure = NULL;
  gsize limit;
  int i;

  if (! get_memory_limit (&limit, error))
    return FALSE;
  if (! engine->gpu && ! (engine->gpu = blur_gpu_open (error)))
    return FALSE;
  attempt.device = engine->gpu;
  report->device = BLUR_DEVICE_GPU;
  g_strlcpy (report->device_name, blur_gpu_get_name (engine->gpu), sizeof report->device_name);
  for (i = 0; i < GPU_TRIES; i++)
    {
      g_clear_error (&failure);
      if (try_gpu (&attempt, limit, &failure))
        return TRUE;
      if (attempt.caller_stopped || ! g_error_matches (failure, BLUR_ERROR, BLUR_ERROR_MEMORY))
        break;
      blur_gpu_trim (engine->gpu);
    }
  *caller_stopped = attempt.caller_stopped;
  if (! attempt.caller_stopped && ! blur_gpu_is_alive (engine->gpu))
    g_clear_pointer (&engine->gpu, blur_gpu_close);
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

/* The first line of a message that may hold a compiler's log, as far as it fits. */
static void
set_fallback (BlurReport *report, const char *message)
{
  gsize length = strcspn (message, "\n");
  gsize size = MIN (length, sizeof report->fallback - 1);
  const char *end;

  memcpy (report->fallback, message, size);
  report->fallback[size] = '\0';
  if (! g_utf8_validate (report->fallback, -1, &end)) /* cut within a character */
    report->fallback[end - report->fallback] = '\0';
}

static gboolean
run_on (BlurEngine *engine, BlurDevice device, const BlurPlan *plan, const BlurImage *image,
        BlurReport *report, GError **error)
{
  g_autoptr (GError) failure = NULL;
  gboolean caller_stopped = FALSE;

  if (device != BLUR_DEVICE_CPU)
    {
      if (run_on_gpu (engine, plan, image, report, &caller_stopped, &failure))
        return TRUE;
      if (device == BLUR_DEVICE_GPU || caller_stopped)
        {
          g_propagate_error (error, g_steal_pointer (&failure));
          return FALSE;
        }
      set_fallback (report, failure->message);
      blur_trace ("fallback", g_get_monotonic_time (), 0, "%s", failure->message);
    }
  return run_on_cpu (plan, image, report, error);
}

gboolean
blur_engine_run (BlurEngine *engine, const BlurParams *params, const BlurImage *image,
                 BlurReport *report, GError **error)
{
  gint64 start = g_get_monotonic_time ();
  g_autoptr (BlurPlan) plan = NULL;
  BlurReport done = { 0 };
  BlurDevice device;

  g_return_val_if_fail (engine && params && image, FALSE);
  if (! blur_params_check (params, error) || ! check_image (image, error) ||
      ! get_device (params->device, &device, error))
    return FALSE;
  if (blur_params_is_identity (params))
    {
      report_cpu (&done);
      if (! copy_image (image, error))
        return FALSE;
    }
  else
    {
      plan = blur_plan_new (params, &image->format);
      if (! run_on (engine, device, plan, image, &done, error))
        return FALSE;
    }
  done.milliseconds = (g_get_monotonic_time () - start) / 1000.0;
  if (report)
    *report = done;
  return TRUE;
}
