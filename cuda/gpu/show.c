#include "show.h"
#include "gpu-run.h"
#include "view.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define RESULT_BYTES ((gsize) 64 << 20) /* of the blurred image at a time */
#define UPLOAD_BYTES ((gsize) 16 << 20) /* from one look at the progress to the next */
#define THREADS      256                /* as kernels/reduce.cu has it */
#define REDUCE_TAPS  64                 /* what a sample costs that a view is made of */

/* An argument of kernels/reduce.cu. */
typedef struct {
  gconstpointer pixels;
  int left, right, top;
} Result;

typedef struct {
  FxGpu *gpu;
  FxResident *resident;
  const FxPreviewJob *job;
  const FxStored *stored;
  const BlurPlan *plan;
  FxFrame frame;
  FxSpan rows;    /* of the view: those that have pixels of the image */
  int chunk_rows; /* of the image, at the most, for some rows of the view */
  FxStrip strip;  /* the region, in the grown image */
  FxGpuRun *run;  /* without a result of a plan that blurs nothing */
  int taken;      /* the first row of the strip's source that the run has not taken yet */
  FxProgram *reduce;
  FxSource source;    /* the stored image */
  gconstpointer mask; /* or NULL */
  FxCover *covers;    /* of the columns, then of the rows */
  guint8 *view;
  double fraction; /* of the view that is queued */
} Rendering;

static gboolean
is_wanted (gpointer data, GError **error)
{
  const Rendering *rendering = data;

  return fx_preview_job_report (rendering->job, rendering->fraction, error);
}

/* Programs. */

static gboolean
is_identity (const BlurPlan *plan)
{
  return plan->x.radius == 0 && plan->y.radius == 0;
}

gboolean
fx_gpu_is_ready_to_show (FxGpu *gpu, const BlurPlan *plan, const FxFormat *format)
{
  const BlurPlan shown = { .format = *format };

  return fx_gpu_has_program (gpu, &shown, BLUR_PROGRAM_REDUCE, 0) &&
         (is_identity (plan) || fx_gpu_is_ready (gpu, plan));
}

gboolean
fx_gpu_get_ready_to_show (FxGpu *gpu, const BlurPlan *plan, const FxFormat *format, GError **error)
{
  const BlurPlan shown = { .format = *format };

  return fx_gpu_get_program (gpu, &shown, BLUR_PROGRAM_REDUCE, 0, error) &&
         (is_identity (plan) || fx_gpu_get_ready (gpu, plan, error));
}

/* The image on the device. */

void
fx_gpu_forget (FxGpu *gpu, const FxResident *resident)
{
  if (fx_gpu_get_resident (gpu) != resident)
    return;
  fx_gpu_set_resident (gpu, NULL);
  fx_gpu_free_buffer (gpu, FX_BUFFER_IMAGE);
  fx_gpu_free_buffer (gpu, FX_BUFFER_MASK);
}

/* After another's image was there, or another device, all is stale. */
static void
claim (Rendering *rendering)
{
  FxResident *resident = rendering->resident;
  int y;

  if (fx_gpu_get_resident (rendering->gpu) == resident)
    return;
  fx_gpu_set_resident (rendering->gpu, resident);
  resident->mask_stale = TRUE;
  for (y = 0; y < rendering->stored->height; y++)
    resident->stale[y] = TRUE;
}

/* The stale rows from y on, rows of them at the most. */
static int
count_stale (const Rendering *rendering, int y, int rows)
{
  int end = MIN (rendering->stored->height, y + rows), next = y;

  while (next < end && rendering->resident->stale[next])
    next++;
  return next - y;
}

static gboolean
upload_rows (Rendering *rendering, guint8 *image, int y, int rows, GError **error)
{
  const FxStored *stored = rendering->stored;
  gsize row = stored->width * fx_format_size (&stored->format);
  int i;

  if (! fx_preview_job_report (rendering->job, 0.0, error) ||
      ! fx_gpu_upload (rendering->gpu, image + y * row, (const guint8 *) stored->pixels + y * row,
                       rows * row, error))
    return FALSE;
  for (i = 0; i < rows; i++)
    rendering->resident->stale[y + i] = FALSE;
  return TRUE;
}

static gboolean
upload_image (Rendering *rendering, GError **error)
{
  const FxStored *stored = rendering->stored;
  gsize row = stored->width * fx_format_size (&stored->format);
  guint8 *image = fx_gpu_get_buffer (rendering->gpu, FX_BUFFER_IMAGE, row * stored->height, error);
  int most = (int) CLAMP (UPLOAD_BYTES / row, 1, (gsize) stored->height), y, rows;

  rendering->source.pixels = image;
  for (y = 0; image && y < stored->height; y += MAX (rows, 1))
    {
      rows = count_stale (rendering, y, most);
      if (rows > 0 && ! upload_rows (rendering, image, y, rows, error))
        return FALSE;
    }
  return image != NULL;
}

static gboolean
upload_mask (Rendering *rendering, GError **error)
{
  const FxStored *stored = rendering->stored;
  gsize size = (gsize) stored->width * stored->height;
  gpointer mask;

  if (! stored->mask)
    return TRUE;
  rendering->mask = mask = fx_gpu_get_buffer (rendering->gpu, FX_BUFFER_MASK, size, error);
  if (! mask || (rendering->resident->mask_stale &&
                 ! fx_gpu_upload (rendering->gpu, mask, stored->mask, size, error)))
    return FALSE;
  rendering->resident->mask_stale = FALSE;
  return TRUE;
}

/* What is to be done. */

static gsize
get_result_bytes (const Rendering *rendering)
{
  return (gsize) rendering->chunk_rows * rendering->frame.region.width *
         fx_format_size (&rendering->stored->format);
}

/* The rows of the view that have some of the image's, all of which lie together. */
static FxSpan
find_rows (const FxFrame *frame)
{
  int first = 0, end = frame->height;

  while (first < end && frame->rows[first].count == 0)
    first++;
  while (first < end && frame->rows[end - 1].count == 0)
    end--;
  return (FxSpan) { first, end - first };
}

static FxStrip
get_strip (const Rendering *rendering)
{
  const FxView *view = rendering->job->view;
  const FxRect *region = &rendering->frame.region;
  const FxImage image = {
    .width = rendering->stored->width + 2 * view->grow_x,
    .height = rendering->stored->height + 2 * view->grow_y,
    .region = { region->x + view->grow_x, region->y + view->grow_y, region->width, region->height },
  };
  const FxLayout layout = { .strip_width = region->width, .chunk_rows = rendering->chunk_rows };

  return fx_layout_get_strip (rendering->plan, &image, &layout, image.region.x);
}

static FxSource
get_source (const Rendering *rendering)
{
  const FxView *view = rendering->job->view;
  const FxStored *stored = rendering->stored;

  return (FxSource) {
    .slots = stored->height,
    .offset = -view->grow_y,
    .pitch = stored->width,
    .width = stored->width + 2 * view->grow_x,
    .height = stored->height + 2 * view->grow_y,
    .x0 = view->grow_x,
    .x1 = view->grow_x + stored->width,
    .y0 = view->grow_y,
    .y1 = view->grow_y + stored->height,
  };
}

/* Bytes of device memory that all of it takes. */
static gsize
get_bytes (const Rendering *rendering)
{
  const FxStored *stored = rendering->stored;
  gsize pixels = (gsize) stored->width * stored->height;
  gsize bytes = pixels * fx_format_size (&stored->format) + (stored->mask ? pixels : 0) +
                get_result_bytes (rendering);

  if (! is_identity (rendering->plan))
    bytes += fx_gpu_run_get_bytes (rendering->plan, &rendering->strip);
  return bytes;
}

/* What the result is given: enough for any row of the view. */
static void
set_chunk_rows (Rendering *rendering, gsize rows)
{
  const FxFrame *frame = &rendering->frame;
  int i;

  rendering->chunk_rows = (int) CLAMP (rows, 1, (gsize) frame->region.height);
  for (i = 0; i < frame->height; i++)
    rendering->chunk_rows = MAX (rendering->chunk_rows, frame->rows[i].count);
  rendering->strip = get_strip (rendering);
}

/* As many rows at a time as memory allows. */
static gboolean
set_chunks (Rendering *rendering, GError **error)
{
  gsize row = rendering->frame.region.width * fx_format_size (&rendering->stored->format);
  gsize rows = RESULT_BYTES / row, available, limit;

  if (! fx_gpu_get_free_memory (rendering->gpu, &available, error))
    return FALSE;
  limit = MIN (rendering->job->limit, available + fx_gpu_get_held_memory (rendering->gpu));

  for (set_chunk_rows (rendering, rows); rows > 1 && get_bytes (rendering) > limit; rows /= 2)
    set_chunk_rows (rendering, rows / 2);
  if (get_bytes (rendering) <= limit)
    return TRUE;
  g_set_error (error, FX_ERROR, FX_ERROR_MEMORY,
               _("The blur needs at least %.1f MB of GPU memory, but may take %.1f MB"),
               get_bytes (rendering) / 1e6, limit / 1e6);
  return FALSE;
}

/* The blur. */

static gboolean
begin (Rendering *rendering, GError **error)
{
  rendering->run = fx_gpu_run_new (rendering->gpu, rendering->plan, &rendering->strip);
  rendering->run->source = rendering->source;
  rendering->run->base.is_wanted = is_wanted;
  rendering->run->base.data = rendering;
  rendering->taken = rendering->strip.source_y0;
  return is_identity (rendering->plan) ||
         fx_gpu_run_begin (rendering->run, get_result_bytes (rendering), error);
}

/* Queues what the result needs up to row end of the grown image. */
static gboolean
take (Rendering *rendering, int end, GError **error)
{
  FxGpuRun *run = rendering->run;
  int first = rendering->taken;

  if (fx_gpu_backend.needs_all (rendering->plan))
    end = rendering->strip.source_y1;
  else
    end = MIN (end + rendering->plan->y.reach, rendering->strip.source_y1);
  rendering->taken = MAX (first, end);
  return ! run->way->take || first >= end || run->way->take (run, first, end - first, error);
}

/* Queues what fills the result with rows y to y + rows - 1 of the stored image. */
static gboolean
blur_rows (Rendering *rendering, int y, int rows, GError **error)
{
  FxGpuRun *run = rendering->run;

  y += rendering->job->view->grow_y;
  return is_identity (rendering->plan) ||
         (take (rendering, y + rows, error) && run->way->give (run, y, rows, error));
}

/* The view. */

/* Threads side by side along the columns of a pixel of the view. */
static int
get_lanes (double scale)
{
  int lanes = 1;

  while (lanes < THREADS && 2 * lanes * scale <= 1.0)
    lanes *= 2;
  return lanes;
}

/* Queues what makes rows first to first + rows - 1 of the view from height rows of the result, the
 * first of which is row top of the image. */
static gboolean
reduce (Rendering *rendering, int first, int rows, int top, int height, GError **error)
{
  const FxRect *region = &rendering->frame.region;
  int width = rendering->frame.width, lanes = get_lanes (rendering->job->view->scale);
  const FxCover *rows_covers = rendering->covers + width;
  Result result = {
    rendering->run->result,
    region->x,
    region->x + region->width,
    top,
  };
  double samples = (double) region->width * height * rendering->stored->format.channels;
  int coverage = rendering->stored->coverage, kept = (int) rendering->stored->kept;
  FxLaunch launch = {
    .x = fx_ceil_div (width, THREADS / lanes),
    .y = rows,
    .threads = THREADS,
  };
  void *args[] = { &rendering->source,
                   &rendering->mask,
                   &result,
                   &rendering->covers,
                   &rows_covers,
                   &width,
                   &first,
                   &lanes,
                   &coverage,
                   &kept,
                   &rendering->view };

  return fx_gpu_run_pace (rendering->run, samples * REDUCE_TAPS, error) &&
         fx_gpu_launch (rendering->gpu, rendering->reduce, &launch, args, error);
}

/* How many rows of the view, from first on, the result has room for. */
static int
count_rows (const Rendering *rendering, int first)
{
  const FxCover *rows = rendering->frame.rows;
  int end = rendering->rows.first + rendering->rows.count, next = first + 1;

  while (next < end &&
         rows[next].first + rows[next].count - rows[first].first <= rendering->chunk_rows)
    next++;
  return next - first;
}

static gboolean
render_rows (Rendering *rendering, GError **error)
{
  const FxCover *covers = rendering->frame.rows;
  int first = rendering->rows.first, end = first + rendering->rows.count, rows;

  for (; first < end; first += rows)
    {
      const FxCover *last;
      int top = covers[first].first, height;

      rows = count_rows (rendering, first);
      last = &covers[first + rows - 1];
      height = last->first + last->count - top;
      rendering->fraction = (double) first / rendering->frame.height;
      if (! is_wanted (rendering, error) || ! blur_rows (rendering, top, height, error) ||
          ! reduce (rendering, first, rows, top, height, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
upload_covers (Rendering *rendering, GError **error)
{
  const FxFrame *frame = &rendering->frame;
  gsize columns = frame->width * sizeof (FxCover), rows = frame->height * sizeof (FxCover);

  rendering->covers = fx_gpu_get_buffer (rendering->gpu, FX_BUFFER_COVERS, columns + rows, error);
  return rendering->covers &&
         fx_gpu_upload (rendering->gpu, rendering->covers, frame->columns, columns, error) &&
         fx_gpu_upload (rendering->gpu, rendering->covers + frame->width, frame->rows, rows, error);
}

static gboolean
load_reduce (Rendering *rendering, GError **error)
{
  const BlurPlan shown = { .format = rendering->stored->format };

  rendering->reduce = fx_gpu_get_program (rendering->gpu, &shown, BLUR_PROGRAM_REDUCE, 0, error);
  return rendering->reduce != NULL;
}

static gboolean
prepare (Rendering *rendering, GError **error)
{
  const FxFrame *frame = &rendering->frame;

  rendering->view = fx_gpu_get_buffer (rendering->gpu, FX_BUFFER_VIEW,
                                       (gsize) frame->width * frame->height * 4, error);
  return rendering->view && upload_image (rendering, error) && upload_mask (rendering, error) &&
         upload_covers (rendering, error) && load_reduce (rendering, error) &&
         begin (rendering, error);
}

static gboolean
download (Rendering *rendering, GError **error)
{
  gsize row = (gsize) rendering->frame.width * 4, offset = row * rendering->rows.first;

  return fx_gpu_download (rendering->gpu, rendering->job->rgba + offset, rendering->view + offset,
                          row * rendering->rows.count, error) &&
         fx_gpu_wait (rendering->gpu, error);
}

/* All is queued, then waited for: what it reads of host memory goes when it is done. */
static gboolean
render (Rendering *rendering, GError **error)
{
  gboolean done = prepare (rendering, error) && render_rows (rendering, error) &&
                  download (rendering, error);

  if (! done)
    fx_gpu_wait (rendering->gpu, NULL);
  g_clear_pointer (&rendering->run, fx_gpu_run_free);
  return done;
}

/* Once more where memory ran out that is kept for runs of another kind. */
static gboolean
render_in_memory (Rendering *rendering, GError **error)
{
  g_autoptr (GError) failure = NULL;

  if (render (rendering, &failure))
    return TRUE;
  if (! g_error_matches (failure, FX_ERROR, FX_ERROR_MEMORY))
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      return FALSE;
    }
  fx_gpu_trim (rendering->gpu);
  return render (rendering, error);
}

gboolean
fx_gpu_show (FxGpu *gpu, FxResident *resident, const BlurPlan *plan, const FxPreviewJob *job,
             GError **error)
{
  Rendering rendering = {
    .gpu = gpu,
    .resident = resident,
    .job = job,
    .stored = job->stored,
    .plan = plan,
  };
  const FxView *view = job->view;
  gboolean done = TRUE;

  fx_frame_init (&rendering.frame, view->scale, &view->rect, -view->grow_x, -view->grow_y,
                 job->stored->width + view->grow_x, job->stored->height + view->grow_y);
  memset (job->rgba, 0, (gsize) view->rect.width * view->rect.height * 4);
  if (rendering.frame.region.width > 0)
    {
      claim (&rendering);
      rendering.rows = find_rows (&rendering.frame);
      rendering.source = get_source (&rendering);
      done = set_chunks (&rendering, error) && render_in_memory (&rendering, error);
    }
  fx_frame_clear (&rendering.frame);
  return done;
}
