#include "show.h"

#include "error.h"
#include "gpu-kernels.h" /* generated from kernels/kernels.gresource.xml */
#include "gpu-run.h"

#include <string.h>

#define RESULT_BYTES ((gsize) 64 << 20) /* of the filtered image at a time */
#define UPLOAD_BYTES ((gsize) 16 << 20) /* between two calls of the progress function */
#define REDUCE_TAPS  64                 /* the cost of a sample averaged for a view, in taps */

#define BUFFER_COVERS FX_BUFFER_VIEW_0 /* what a view's columns and rows cover */
#define BUFFER_VIEW   FX_BUFFER_VIEW_1
#define BUFFER_IMAGE  FX_BUFFER_OWNED_0
#define BUFFER_MASK   FX_BUFFER_OWNED_1

typedef struct {
  FxGpu *gpu;
  FxDeviceImage *image;
  const FxShowJob *job;
  const FxStored *stored;
  const FxPlan *plan;
  FxFrame frame;
  FxSpan rows;    /* the rows of the view that cover pixels of the image */
  int chunk_rows; /* the most rows of the image that are filtered at a time */
  FxStrip strip;  /* the region, in the extended image */
  FxGpuRun *run;  /* has no result if the plan is an identity */
  int taken;      /* the first row of the strip's source that was not passed to the run yet */
  FxKernel *reduce;
  FxSource source;    /* the stored image */
  gconstpointer mask; /* may be NULL */
  FxCover *covers;    /* of the columns, then of the rows */
  guint8 *view;
  double fraction; /* the part of the view that is queued */
} Showing;

static gboolean
is_wanted (gpointer data, GError **error)
{
  const Showing *showing = data;

  return fx_progress_tell (showing->job->progress, showing->job->data, showing->fraction, error);
}

/* Programs. */

/* Always supports extended images, because the kernel has time to spare: one program serves all.
 * Views of linear samples, too, are encoded with the format's curve. */
static void
define_reduce (const FxProgramCase *what, GString *text)
{
  fx_define_codec (text, &what->codec);
  if (what->codec.curve == FX_CURVE_NONE)
    fx_define_trc (text, &what->codec.format.trc);
  fx_define_grown (text, TRUE);
}

const FxProgram fx_program_reduce = { "reduce", "reduce.cu", fx_gpu_kernels_get_resource,
                                      define_reduce };

gboolean
fx_gpu_is_ready_to_show (FxGpu *gpu, const FxPlan *plan, const FxFormat *format, gboolean grown)
{
  const FxProgramCase shown = { .codec = fx_codec_new (format, FX_LIGHT_LINEAR) };

  return fx_gpu_has_kernel (gpu, &fx_program_reduce, &shown) &&
         (plan->identity || fx_gpu_is_ready (gpu, plan, grown));
}

gboolean
fx_gpu_make_ready_to_show (FxGpu *gpu, const FxPlan *plan, const FxFormat *format, gboolean grown,
                           GError **error)
{
  const FxProgramCase shown = { .codec = fx_codec_new (format, FX_LIGHT_LINEAR) };

  return fx_gpu_get_kernel (gpu, &fx_program_reduce, &shown, error) &&
         (plan->identity || fx_gpu_make_ready (gpu, plan, grown, error));
}

/* The image on the device. */

void
fx_gpu_forget (FxGpu *gpu, const FxDeviceImage *image)
{
  if (fx_gpu_get_owner (gpu) != image)
    return;
  fx_gpu_set_owner (gpu, NULL);
  fx_gpu_free_buffer (gpu, BUFFER_IMAGE);
  fx_gpu_free_buffer (gpu, BUFFER_MASK);
}

/* Takes the lease. If another image had it, or this one was on another device, all rows are
 * stale. */
static void
claim (Showing *showing)
{
  FxDeviceImage *image = showing->image;
  int y;

  if (fx_gpu_get_owner (showing->gpu) == image)
    return;
  fx_gpu_set_owner (showing->gpu, image);
  image->mask_stale = TRUE;
  for (y = 0; y < showing->stored->height; y++)
    image->stale[y] = TRUE;
}

/* Returns how many rows from y on are stale in succession, at most rows. */
static int
count_stale (const Showing *showing, int y, int rows)
{
  int end = MIN (showing->stored->height, y + rows), next = y;

  while (next < end && showing->image->stale[next])
    next++;
  return next - y;
}

static gboolean
upload_rows (Showing *showing, guint8 *image, int y, int rows, GError **error)
{
  const FxStored *stored = showing->stored;
  gsize row = stored->width * fx_format_size (&stored->format);
  int i;

  if (! is_wanted (showing, error) ||
      ! fx_gpu_upload (showing->gpu, image + y * row, (const guint8 *) stored->pixels + y * row,
                       rows * row, error))
    return FALSE;
  for (i = 0; i < rows; i++)
    showing->image->stale[y + i] = FALSE;
  return TRUE;
}

static gboolean
upload_image (Showing *showing, GError **error)
{
  const FxStored *stored = showing->stored;
  gsize row = stored->width * fx_format_size (&stored->format);
  guint8 *image = fx_gpu_get_buffer (showing->gpu, BUFFER_IMAGE, row * stored->height, error);
  int most = (int) CLAMP (UPLOAD_BYTES / row, 1, (gsize) stored->height), y, rows;

  showing->source.pixels = image;
  for (y = 0; image && y < stored->height; y += MAX (rows, 1))
    {
      rows = count_stale (showing, y, most);
      if (rows > 0 && ! upload_rows (showing, image, y, rows, error))
        return FALSE;
    }
  return image != NULL;
}

static gboolean
upload_mask (Showing *showing, GError **error)
{
  const FxStored *stored = showing->stored;
  gsize size = (gsize) stored->width * stored->height;
  gpointer mask;

  if (! stored->mask)
    return TRUE;
  showing->mask = mask = fx_gpu_get_buffer (showing->gpu, BUFFER_MASK, size, error);
  if (! mask || (showing->image->mask_stale &&
                 ! fx_gpu_upload (showing->gpu, mask, stored->mask, size, error)))
    return FALSE;
  showing->image->mask_stale = FALSE;
  return TRUE;
}

/* The plan of the work. */

static gsize
get_result_bytes (const Showing *showing)
{
  return (gsize) showing->chunk_rows * showing->frame.region.width *
         fx_format_size (&showing->stored->format);
}

/* Returns the rows of the view that cover pixels of the image. They are adjacent. */
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
get_strip (const Showing *showing)
{
  const FxView *view = showing->job->view;
  const FxRect *region = &showing->frame.region;
  const FxImage image = {
    .width = showing->stored->width + 2 * view->grow_x,
    .height = showing->stored->height + 2 * view->grow_y,
    .region = { region->x + view->grow_x, region->y + view->grow_y, region->width, region->height },
  };
  const FxLayout layout = { .strip_width = region->width, .chunk_rows = showing->chunk_rows };

  return fx_layout_get_strip (&layout, &showing->plan->reach, &image, image.region.x);
}

static FxSource
get_source (const Showing *showing)
{
  const FxView *view = showing->job->view;
  const FxStored *stored = showing->stored;

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

/* Returns the bytes of device memory that rendering takes. */
static gsize
get_bytes (const Showing *showing)
{
  const FxStored *stored = showing->stored;
  gsize pixels = (gsize) stored->width * stored->height;
  gsize bytes = pixels * fx_format_size (&stored->format) + (stored->mask ? pixels : 0) +
                get_result_bytes (showing);

  if (! showing->plan->identity)
    bytes += fx_gpu_run_get_bytes (showing->plan, &showing->strip);
  return bytes;
}

/* Sets the number of result rows computed at a time to rows, but at least as many as any row of the
 * view covers. */
static void
set_chunk_rows (Showing *showing, gsize rows)
{
  const FxFrame *frame = &showing->frame;
  int i;

  showing->chunk_rows = (int) CLAMP (rows, 1, (gsize) frame->region.height);
  for (i = 0; i < frame->height; i++)
    showing->chunk_rows = MAX (showing->chunk_rows, frame->rows[i].count);
  showing->strip = get_strip (showing);
}

/* Computes as many rows at a time as memory allows. */
static gboolean
set_chunks (Showing *showing, GError **error)
{
  gsize row = showing->frame.region.width * fx_format_size (&showing->stored->format);
  gsize rows = RESULT_BYTES / row, available, limit;

  if (! fx_gpu_get_free_memory (showing->gpu, &available, error))
    return FALSE;
  limit = MIN (showing->job->limit, available + fx_gpu_get_held_memory (showing->gpu));

  for (set_chunk_rows (showing, rows); rows > 1 && get_bytes (showing) > limit; rows /= 2)
    set_chunk_rows (showing, rows / 2);
  if (get_bytes (showing) <= limit)
    return TRUE;
  return fx_set_no_gpu_memory (get_bytes (showing), limit, error);
}

/* The filter. */

static gboolean
begin (Showing *showing, GError **error)
{
  const FxView *view = showing->job->view;

  showing->run = fx_gpu_run_new (showing->gpu, showing->plan, &showing->strip,
                                 view->grow_x > 0 || view->grow_y > 0);
  showing->run->source = showing->source;
  showing->run->base.is_wanted = is_wanted;
  showing->run->base.data = showing;
  showing->taken = showing->strip.source_y0;
  return showing->plan->identity ||
         fx_gpu_run_begin (showing->run, get_result_bytes (showing), error);
}

/* Passes to the run the source rows that the result needs up to row end of the extended image. */
static gboolean
take (Showing *showing, int end, GError **error)
{
  FxGpuRun *run = showing->run;
  int first = showing->taken;

  end = fx_run_get_need (&run->base, end);
  showing->taken = MAX (first, end);
  return ! run->way->take || first >= end || run->way->take (run, first, end - first, error);
}

/* Queues the work that fills the result with rows y to y + rows - 1 of the stored image. */
static gboolean
process_rows (Showing *showing, int y, int rows, GError **error)
{
  FxGpuRun *run = showing->run;

  y += showing->job->view->grow_y;
  return showing->plan->identity ||
         (take (showing, y + rows, error) && run->way->give (run, y, rows, error));
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
reduce (Showing *showing, int first, int rows, int top, int height, GError **error)
{
  const FxRect *region = &showing->frame.region;
  int width = showing->frame.width, lanes = get_lanes (showing->job->view->scale);
  const FxCover *rows_covers = showing->covers + width;
  FxResult result = {
    showing->run->result,
    region->x,
    region->x + region->width,
    top,
  };
  double samples = (double) region->width * height * showing->stored->format.channels;
  int coverage = showing->stored->coverage, kept = (int) showing->stored->kept;
  FxLaunch launch = {
    .x = fx_ceil_div (width, FX_REDUCE_THREADS / lanes),
    .y = rows,
    .threads = FX_REDUCE_THREADS,
  };
  void *args[] = { &showing->source, &showing->mask, &result,       &showing->covers,
                   &rows_covers,     &width,         &first,        &lanes,
                   &coverage,        &kept,          &showing->view };

  return fx_gpu_run_pace (showing->run, samples * REDUCE_TAPS, error) &&
         fx_gpu_launch (showing->gpu, showing->reduce, &launch, args, error);
}

/* Returns how many rows of the view, from first on, the result has room for. */
static int
count_rows (const Showing *showing, int first)
{
  const FxCover *rows = showing->frame.rows;
  int end = showing->rows.first + showing->rows.count, next = first + 1;

  while (next < end &&
         rows[next].first + rows[next].count - rows[first].first <= showing->chunk_rows)
    next++;
  return next - first;
}

static gboolean
render_rows (Showing *showing, GError **error)
{
  const FxCover *covers = showing->frame.rows;
  int first = showing->rows.first, end = first + showing->rows.count, rows;

  for (; first < end; first += rows)
    {
      const FxCover *last;
      int top = covers[first].first, height;

      rows = count_rows (showing, first);
      last = &covers[first + rows - 1];
      height = last->first + last->count - top;
      showing->fraction = (double) first / showing->frame.height;
      if (! is_wanted (showing, error) || ! process_rows (showing, top, height, error) ||
          ! reduce (showing, first, rows, top, height, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
upload_covers (Showing *showing, GError **error)
{
  const FxFrame *frame = &showing->frame;
  gsize columns = frame->width * sizeof (FxCover), rows = frame->height * sizeof (FxCover);

  showing->covers = fx_gpu_get_buffer (showing->gpu, BUFFER_COVERS, columns + rows, error);
  return showing->covers &&
         fx_gpu_upload (showing->gpu, showing->covers, frame->columns, columns, error) &&
         fx_gpu_upload (showing->gpu, showing->covers + frame->width, frame->rows, rows, error);
}

static gboolean
load_reduce (Showing *showing, GError **error)
{
  const FxProgramCase shown = { .codec = fx_codec_new (&showing->stored->format, FX_LIGHT_LINEAR) };

  showing->reduce = fx_gpu_get_kernel (showing->gpu, &fx_program_reduce, &shown, error);
  return showing->reduce != NULL;
}

static gboolean
prepare (Showing *showing, GError **error)
{
  const FxFrame *frame = &showing->frame;

  showing->view = fx_gpu_get_buffer (showing->gpu, BUFFER_VIEW,
                                     (gsize) frame->width * frame->height * 4, error);
  return showing->view && upload_image (showing, error) && upload_mask (showing, error) &&
         upload_covers (showing, error) && load_reduce (showing, error) && begin (showing, error);
}

static gboolean
download (Showing *showing, GError **error)
{
  gsize row = (gsize) showing->frame.width * 4, offset = row * showing->rows.first;

  return fx_gpu_download (showing->gpu, showing->job->rgba + offset, showing->view + offset,
                          row * showing->rows.count, error) &&
         fx_gpu_wait (showing->gpu, error);
}

/* Queues everything, then waits. It also waits after a failure: queued work still reads the
 * caller's memory, which the caller frees afterwards. */
static gboolean
render (Showing *showing, GError **error)
{
  gboolean done = prepare (showing, error) && render_rows (showing, error) &&
                  download (showing, error);

  if (! done)
    fx_gpu_wait (showing->gpu, NULL);
  g_clear_pointer (&showing->run, fx_gpu_run_free);
  return done;
}

/* Renders; if memory runs out, frees the memory held for other runs and tries once more. */
static gboolean
render_in_memory (Showing *showing, GError **error)
{
  g_autoptr (GError) failure = NULL;

  if (render (showing, &failure))
    return TRUE;
  if (! g_error_matches (failure, FX_ERROR, FX_ERROR_MEMORY))
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      return FALSE;
    }
  fx_gpu_trim (showing->gpu);
  return render (showing, error);
}

gboolean
fx_gpu_show (FxGpu *gpu, FxDeviceImage *image, const FxShowJob *job, GError **error)
{
  Showing showing = {
    .gpu = gpu,
    .image = image,
    .job = job,
    .stored = job->stored,
    .plan = job->plan,
  };
  const FxView *view = job->view;
  gboolean done = TRUE;

  fx_frame_init (&showing.frame, view->scale, &view->rect, -view->grow_x, -view->grow_y,
                 job->stored->width + view->grow_x, job->stored->height + view->grow_y);
  memset (job->rgba, 0, (gsize) view->rect.width * view->rect.height * 4);
  if (showing.frame.region.width > 0)
    {
      claim (&showing);
      showing.rows = find_rows (&showing.frame);
      showing.source = get_source (&showing);
      done = set_chunks (&showing, error) && render_in_memory (&showing, error);
    }
  fx_frame_clear (&showing.frame);
  return done;
}
