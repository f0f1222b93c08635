#include "gpu-view.h"

#include "error.h"
#include "gpu-run.h"
#include "kernels/reduce-args.h"
#include "preview-kernels.h"

#include <string.h>

#define RESULT_BYTES ((gsize) 64 << 20) /* of the filtered image at a time */
#define UPLOAD_BYTES ((gsize) 16 << 20) /* between two calls of the progress function */
#define REDUCE_TAPS  64                 /* the cost of averaging a sample for a view, in taps */

#define BUFFER_COVERS FX_BUFFER_VIEW_0 /* what a view's columns and rows cover */
#define BUFFER_VIEW   FX_BUFFER_VIEW_1
#define BUFFER_IMAGE  FX_BUFFER_RESIDENT_0
#define BUFFER_MASK   FX_BUFFER_RESIDENT_1

typedef struct {
  FxGpu *gpu;
  FxDeviceImage *image;
  const FxViewJob *job;
  const FxStored *stored;
  const FxPlan *plan;
  FxFrame frame;
  int chunk_rows; /* the most rows of the image that are filtered at a time */
  FxStrip strip;  /* the region, in the extended image */
  FxGpuRun *run;  /* without a result if the plan is an identity plan */
  FxKernel *reduce;
  FxSource source;    /* the stored image */
  gconstpointer mask; /* may be NULL */
  FxCover *covers;    /* of the columns, then of the rows */
  guint8 *view;
  double fraction; /* the part of the view that is queued */
} GpuView;

static gboolean
gpu_view_is_wanted (gpointer data, GError **error)
{
  const GpuView *view_run = data;

  return fx_progress_report (view_run->job->progress, view_run->job->data, view_run->fraction,
                             error);
}

/* Programs. */

/* Views of linear samples, too, are encoded with the format's curve. */
static void
define_reduce (const FxProgramCase *program_case, GString *text)
{
  fx_define_codec (program_case, text);
  if (program_case->codec.curve == FX_CURVE_NONE)
    fx_define_trc (text, &program_case->codec.format.trc);
}

const FxProgram fx_program_reduce = { "reduce", "reduce.cu", preview_kernels_get_resource,
                                      define_reduce };

/* The image on the device. */

/* If another image had the lease, or this image was on another device, no part of it is
 * resident. */
static void
lease (GpuView *view_run)
{
  const FxStored *stored = view_run->stored;
  FxDeviceImage *image = view_run->image;
  gsize row = stored->width * fx_format_size (&stored->format);

  if (fx_gpu_lease_source (view_run->gpu, image->source, row * stored->height))
    return;
  image->mask = FALSE;
  fx_resident_source_change (image->source, 0, stored->height);
}

/* Returns how many consecutive rows from y on are not resident, at most rows. */
static int
count_missing (const GpuView *view_run, int y, int rows)
{
  int end = MIN (view_run->stored->height, y + rows), next = y;

  while (next < end && ! fx_resident_source_has (view_run->image->source, next, 1))
    next++;
  return next - y;
}

static gboolean
upload_rows (GpuView *view_run, guint8 *image, int y, int rows, GError **error)
{
  const FxStored *stored = view_run->stored;
  gsize row = stored->width * fx_format_size (&stored->format);

  if (! gpu_view_is_wanted (view_run, error) ||
      ! fx_gpu_upload (view_run->gpu, image + y * row, (const guint8 *) stored->pixels + y * row,
                       rows * row, error))
    return FALSE;
  fx_resident_source_add (view_run->image->source, y, rows);
  return TRUE;
}

static gboolean
upload_image (GpuView *view_run, GError **error)
{
  const FxStored *stored = view_run->stored;
  gsize row = stored->width * fx_format_size (&stored->format);
  guint8 *image = fx_gpu_get_buffer (view_run->gpu, BUFFER_IMAGE, row * stored->height, error);
  int most = (int) CLAMP (UPLOAD_BYTES / row, 1, (gsize) stored->height), rows;

  view_run->source.pixels = image;
  for (int y = 0; image && y < stored->height; y += MAX (rows, 1))
    {
      rows = count_missing (view_run, y, most);
      if (rows > 0 && ! upload_rows (view_run, image, y, rows, error))
        return FALSE;
    }
  return image != NULL;
}

static gboolean
upload_mask (GpuView *view_run, GError **error)
{
  const FxStored *stored = view_run->stored;
  gsize size = (gsize) stored->width * stored->height;
  gpointer mask;

  if (! stored->mask)
    return TRUE;
  view_run->mask = mask = fx_gpu_get_buffer (view_run->gpu, BUFFER_MASK, size, error);
  view_run->image->mask = mask && (view_run->image->mask ||
                                   fx_gpu_upload (view_run->gpu, mask, stored->mask, size, error));
  return view_run->image->mask;
}

/* The plan of the work. */

static gsize
get_result_bytes (const GpuView *view_run)
{
  return (gsize) view_run->chunk_rows * view_run->frame.region.width *
         fx_format_size (&view_run->stored->format);
}

static FxStrip
get_strip (const GpuView *view_run)
{
  const FxView *view = view_run->job->view;
  const FxRect *region = &view_run->frame.region;
  const FxImage image = {
    .width = view_run->stored->width + 2 * view->grow_x,
    .height = view_run->stored->height + 2 * view->grow_y,
    .x = -view->grow_x,
    .y = -view->grow_y,
    .region = { region->x + view->grow_x, region->y + view->grow_y, region->width, region->height },
  };
  const FxLayout layout = { region->width, view_run->chunk_rows, .resident = TRUE };

  return fx_layout_get_strip (&layout, &view_run->plan->reach, &image, image.region.x);
}

static FxSource
gpu_view_get_source (const GpuView *view_run)
{
  const FxView *view = view_run->job->view;
  const FxStored *stored = view_run->stored;
  int x0 = view->grow_x, x1 = x0 + stored->width;
  int y0 = view->grow_y, y1 = y0 + stored->height;

  return (FxSource) {
    .slots = stored->height,
    .offset = -view->grow_y,
    .pitch = stored->width,
    .left = x0,
    .right = x1,
    .top = y0,
    .bottom = y1,
    .x0 = x0,
    .x1 = x1,
    .y0 = y0,
    .y1 = y1,
  };
}

/* Returns the bytes of device memory that rendering takes. */
static gsize
gpu_view_get_bytes (const GpuView *view_run)
{
  const FxStored *stored = view_run->stored;
  gsize pixels = (gsize) stored->width * stored->height;
  gsize bytes = pixels * fx_format_size (&stored->format) + (stored->mask ? pixels : 0) +
                get_result_bytes (view_run);

  if (! view_run->plan->identity)
    bytes += fx_gpu_run_get_bytes (view_run->plan, &view_run->strip);
  return bytes;
}

/* Sets the number of result rows computed at a time to rows, but at least as many as any row of the
 * view covers. */
static void
set_chunk_rows (GpuView *view_run, gsize rows)
{
  const FxFrame *frame = &view_run->frame;

  view_run->chunk_rows = (int) CLAMP (rows, 1, (gsize) frame->region.height);
  for (int i = 0; i < frame->height; i++)
    view_run->chunk_rows = MAX (view_run->chunk_rows, frame->rows[i].count);
  view_run->strip = get_strip (view_run);
}

/* Sets the chunk to as many rows as memory permits. */
static gboolean
set_chunks (GpuView *view_run, GError **error)
{
  gsize row = view_run->frame.region.width * fx_format_size (&view_run->stored->format);
  gsize rows = RESULT_BYTES / row, available, limit;

  if (! fx_gpu_get_free_memory (view_run->gpu, &available, error))
    return FALSE;
  limit = MIN (view_run->job->limit, available + fx_gpu_get_held_memory (view_run->gpu));

  for (set_chunk_rows (view_run, rows); rows > 1 && gpu_view_get_bytes (view_run) > limit;
       rows /= 2)
    set_chunk_rows (view_run, rows / 2);
  if (gpu_view_get_bytes (view_run) <= limit)
    return TRUE;
  return fx_set_no_gpu_memory (gpu_view_get_bytes (view_run), limit, error);
}

/* The filter. */

static gboolean
gpu_view_begin (GpuView *view_run, GError **error)
{
  view_run->run = fx_gpu_run_new (view_run->gpu, view_run->plan, &view_run->strip);
  view_run->run->source = view_run->source;
  view_run->run->for_view = TRUE;
  view_run->run->base.is_wanted = gpu_view_is_wanted;
  view_run->run->base.data = view_run;
  return view_run->plan->identity ||
         fx_gpu_run_begin (view_run->run, get_result_bytes (view_run), error);
}

/* Queues the work that fills the result with rows y to y + rows - 1 of the stored image. */
static gboolean
process_rows (GpuView *view_run, int y, int rows, GError **error)
{
  return view_run->plan->identity ||
         fx_gpu_run_compute (view_run->run, y + view_run->job->view->grow_y, rows, error);
}

/* The view. */

/* Returns how many threads share the columns that one view pixel covers. */
static int
get_lanes (double scale)
{
  int lanes = 1;

  while (lanes < FX_REDUCE_THREADS && 2 * lanes * scale <= 1.0)
    lanes *= 2;
  return lanes;
}

/* Queues the work that computes rows first to first + rows - 1 of the view from height rows of the
 * result, which start at row top of the image. */
static gboolean
gpu_view_reduce (GpuView *view_run, int first, int rows, int top, int height, GError **error)
{
  const FxRect *region = &view_run->frame.region;
  int width = view_run->frame.width, lanes = get_lanes (view_run->job->view->scale);
  const FxCover *rows_covers = view_run->covers + width;
  FxResult result = {
    view_run->run->result,
    region->x,
    region->x + region->width,
    top,
  };
  double samples = (double) region->width * height * view_run->stored->format.channels;
  int coverage = view_run->stored->coverage, locked = (int) view_run->stored->locked;
  FxLaunch launch = {
    .x = fx_ceil_div (width, FX_REDUCE_THREADS / lanes),
    .y = rows,
    .threads = FX_REDUCE_THREADS,
  };
  void *args[] = { &view_run->source, &view_run->mask, &result,        &view_run->covers,
                   &rows_covers,      &width,          &first,         &lanes,
                   &coverage,         &locked,         &view_run->view };

  return fx_gpu_run_throttle (view_run->run, samples * REDUCE_TAPS, error) &&
         fx_gpu_launch (view_run->gpu, view_run->reduce, &launch, args, error);
}

/* Returns how many rows of the view, from first on, fit into the result. */
static int
count_rows (const GpuView *view_run, int first)
{
  const FxCover *rows = view_run->frame.rows;
  int end = view_run->frame.covering_rows.first + view_run->frame.covering_rows.count,
      next = first + 1;

  while (next < end &&
         rows[next].first + rows[next].count - rows[first].first <= view_run->chunk_rows)
    next++;
  return next - first;
}

static gboolean
render_rows (GpuView *view_run, GError **error)
{
  const FxCover *covers = view_run->frame.rows;
  FxSpan covering = view_run->frame.covering_rows;
  int first = covering.first, end = first + covering.count, rows;

  for (; first < end; first += rows)
    {
      const FxCover *last;
      int top = covers[first].first, height;

      rows = count_rows (view_run, first);
      last = &covers[first + rows - 1];
      height = last->first + last->count - top;
      view_run->fraction = (double) first / view_run->frame.height;
      if (! gpu_view_is_wanted (view_run, error) || ! process_rows (view_run, top, height, error) ||
          ! gpu_view_reduce (view_run, first, rows, top, height, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
upload_covers (GpuView *view_run, GError **error)
{
  const FxFrame *frame = &view_run->frame;
  gsize columns = frame->width * sizeof (FxCover), rows = frame->height * sizeof (FxCover);

  view_run->covers = fx_gpu_get_buffer (view_run->gpu, BUFFER_COVERS, columns + rows, error);
  return view_run->covers &&
         fx_gpu_upload (view_run->gpu, view_run->covers, frame->columns, columns, error) &&
         fx_gpu_upload (view_run->gpu, view_run->covers + frame->width, frame->rows, rows, error);
}

static gboolean
load_reduce (GpuView *view_run, GError **error)
{
  const FxProgramCase reduce = { .codec = fx_codec_new (&view_run->stored->format,
                                                        FX_LIGHT_LINEAR) };

  view_run->reduce = fx_gpu_get_kernel (view_run->gpu, &fx_program_reduce, &reduce, error);
  return view_run->reduce != NULL;
}

static gboolean
gpu_view_prepare (GpuView *view_run, GError **error)
{
  const FxFrame *frame = &view_run->frame;

  view_run->view = fx_gpu_get_buffer (view_run->gpu, BUFFER_VIEW,
                                      (gsize) frame->width * frame->height * 4, error);
  return view_run->view && upload_image (view_run, error) && upload_mask (view_run, error) &&
         upload_covers (view_run, error) && load_reduce (view_run, error) &&
         gpu_view_begin (view_run, error);
}

static gboolean
download (GpuView *view_run, GError **error)
{
  FxSpan covering = view_run->frame.covering_rows;
  gsize row = (gsize) view_run->frame.width * 4, offset = row * covering.first;

  return fx_gpu_download (view_run->gpu, view_run->job->rgba + offset, view_run->view + offset,
                          row * covering.count, error) &&
         fx_gpu_wait (view_run->gpu, error);
}

/* Queues everything, then waits, even after a failure: queued work still reads the caller's memory,
 * which the caller frees afterwards. */
static gboolean
gpu_view_render (GpuView *view_run, GError **error)
{
  gboolean done = gpu_view_prepare (view_run, error) && render_rows (view_run, error) &&
                  download (view_run, error);

  if (! done)
    fx_gpu_wait (view_run->gpu, NULL);
  g_clear_pointer (&view_run->run, fx_gpu_run_free);
  return done;
}

/* Renders. If memory runs out, frees the memory kept for other runs and retries once. */
static gboolean
render_in_memory (GpuView *view_run, GError **error)
{
  g_autoptr (GError) failure = NULL;

  if (gpu_view_render (view_run, &failure))
    return TRUE;
  if (! g_error_matches (failure, FX_ERROR, FX_ERROR_MEMORY))
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      return FALSE;
    }
  fx_gpu_trim (view_run->gpu);
  return gpu_view_render (view_run, error);
}

gboolean
fx_gpu_render_view (FxGpu *gpu, FxDeviceImage *image, const FxViewJob *job, GError **error)
{
  GpuView view_run = {
    .gpu = gpu,
    .image = image,
    .job = job,
    .stored = job->stored,
    .plan = job->plan,
  };
  const FxView *view = job->view;
  gboolean done = TRUE;

  fx_frame_init (&view_run.frame, job->stored, view, 0);
  memset (job->rgba, 0, (gsize) view->rect.width * view->rect.height * 4);
  if (view_run.frame.region.width > 0)
    {
      lease (&view_run);
      view_run.source = gpu_view_get_source (&view_run);
      done = set_chunks (&view_run, error) && render_in_memory (&view_run, error);
    }
  fx_frame_clear (&view_run.frame);
  return done;
}
