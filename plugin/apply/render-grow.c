#include "render-grow.h"

#include "lock.h"
#include "rectangle.h"
#include "render-merge.h"
#include "render-traffic.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <libgimp/gimp.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Returns memory for size bytes of a file that has no name, and so is gone when the process ends.
 * The file gets its room at once: without room for a page, writing to it would end the process.
 * Returns NULL with error on failure. */
static guint8 *
map_file (gsize size, GError **error)
{
  g_autofree char *path = NULL;
  int file = g_file_open_tmp ("cuda-blur-XXXXXX", &path, error), problem;
  gpointer memory = MAP_FAILED;

  if (file == -1)
    return NULL;
  g_unlink (path);
  do
    problem = posix_fallocate (file, 0, (off_t) size);
  while (problem == EINTR);
  if (problem == 0)
    {
      memory = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
      problem = errno;
    }
  close (file);
  if (memory != MAP_FAILED)
    return memory;
  g_set_error (error, RENDER_ERROR, RENDER_ERROR_FILE, _ ("A temporary file cannot be written: %s"),
               g_strerror (problem));
  return NULL;
}

/* The border of a layer or a mask that has grown: what surrounds its old pixels. */
typedef struct {
  FxRect parts[4]; /* may be empty */
} Border;

static Border
get_border (const FxRect *old, int width, int height)
{
  int right = old->x + old->width, bottom = old->y + old->height;

  return (Border) { {
    { 0, 0, width, old->y },
    { 0, old->y, old->x, old->height },
    { right, old->y, width - right, old->height },
    { 0, bottom, width, height - bottom },
  } };
}

/* White is all ones in integer formats, and 1.0 in the others. */
static void
set_white (const FxFormat *format, gpointer pixels, gsize n)
{
  gsize i;

  for (i = 0; i < n; i++)
    switch (format->sample)
      {
      case FX_SAMPLE_HALF:
        ((guint16 *) pixels)[i] = 0x3c00;
        break;

      case FX_SAMPLE_FLOAT:
        ((float *) pixels)[i] = 1.0f;
        break;

      case FX_SAMPLE_DOUBLE:
        ((double *) pixels)[i] = 1.0;
        break;

      default:
        memset (pixels, 0xff, n * fx_format_size (format));
        return;
      }
}

/* This needs no undo step: that of the enlargement has the mask's old pixels. */
gboolean
render_grow_whiten (const RenderTarget *layer, const FxRect *old, GError **error)
{
  gint32 mask = gimp_layer_get_mask (layer->drawable);
  Border border = get_border (old, layer->width, layer->height);
  g_autofree guint8 *row = NULL;
  RenderTarget target;
  Tiles *tiles;
  gsize i;

  if (mask == -1)
    return TRUE;
  if (! render_target_init (&target, mask, error))
    return FALSE;
  if (target.width != layer->width || target.height != layer->height)
    return render_fail_grow (layer, error);
  row = g_try_malloc_n (target.width, fx_format_size (&target.format));
  if (! row)
    return fx_set_no_memory (error);
  set_white (&target.format, row, target.width);
  tiles = tiles_open (&target, FALSE);
  for (i = 0; i < G_N_ELEMENTS (border.parts); i++)
    tiles_put (tiles, &border.parts[i], row, 0);
  tiles_close (tiles);
  gimp_drawable_update (mask, 0, 0, target.width, target.height);
  return TRUE;
}

/* Writes the result to the layer. */
static gboolean
replace_layer (const RenderTraffic *traffic, const RenderTarget *grown, GError **error)
{
  const FxRect whole = { 0, 0, grown->width, grown->height };
  Tiles *tiles;

  if (! render_target_check (grown, error))
    return FALSE;
  tiles = tiles_open (grown, FALSE);
  tiles_write (tiles, &whole, &whole, traffic->result,
               (gsize) grown->width * fx_format_size (&grown->format));
  return render_merge (grown, &tiles, &whole, TRUE, error);
}

/* Takes back the enlargement by put, unless someone else has changed the size since. */
static void
shrink (const RenderTarget *grown, const RenderJob *job)
{
  if (gimp_drawable_width (grown->drawable) == grown->width &&
      gimp_drawable_height (grown->drawable) == grown->height)
    gimp_layer_resize (grown->drawable, grown->width - 2 * job->grow_x,
                       grown->height - 2 * job->grow_y, -job->grow_x, -job->grow_y);
}

static gboolean
render_grow_put (const RenderTraffic *traffic, GError **error)
{
  const RenderJob *job = traffic->job;
  RenderTarget grown = *traffic->target;
  const FxRect old = { job->grow_x, job->grow_y, grown.width, grown.height };
  GError *failure = NULL;

  grown.width = job->image.width;
  grown.height = job->image.height;
  if (! render_target_check (traffic->target, error))
    return FALSE;
  if (! gimp_layer_resize (grown.drawable, grown.width, grown.height, job->grow_x, job->grow_y))
    return render_fail_gimp (error);
  if (render_grow_whiten (&grown, &old, &failure) && replace_layer (traffic, &grown, &failure))
    return TRUE;
  if (! g_error_matches (failure, RENDER_ERROR, RENDER_ERROR_LATE))
    shrink (&grown, job);
  g_propagate_error (error, failure);
  return FALSE;
}

/* Returns whether all of rect is zero. Reads one tile's worth at a time. */
static gboolean
render_grow_is_empty (Tiles *tiles, const RenderTarget *target, const FxRect *rect)
{
  int width = (int) gimp_tile_width (), height = (int) gimp_tile_height ();
  gsize pixel = fx_format_size (&target->format);
  g_autofree guint8 *pixels = g_malloc0_n ((gsize) width * height, pixel);
  int right = rect->x + rect->width, bottom = rect->y + rect->height, x, y;
  gboolean empty = TRUE;

  for (y = rect->y; empty && y < bottom; y += height)
    for (x = rect->x; empty && x < right; x += width)
      {
        FxRect part = { x, y, MIN (width, right - x), MIN (height, bottom - y) };
        gsize size = part.width * pixel;

        tiles_read (tiles, &part, pixels, size);
        empty = pixels[0] == 0 && memcmp (pixels, pixels + 1, size * part.height - 1) == 0;
      }
  return empty;
}

/* Returns whether the border by which a layer has grown is empty: then the layer did not get its
 * new pixels. */
static gboolean
is_border_empty (const RenderTarget *grown, int x, int y)
{
  const FxRect old = { x, y, grown->width - 2 * x, grown->height - 2 * y };
  Border border = get_border (&old, grown->width, grown->height);
  Tiles *tiles = tiles_open (grown, FALSE);
  gboolean empty = TRUE;
  gsize i;

  for (i = 0; empty && i < G_N_ELEMENTS (border.parts); i++)
    empty = rect_is_empty (&border.parts[i]) ||
            render_grow_is_empty (tiles, grown, &border.parts[i]);
  tiles_close (tiles);
  return empty;
}

void
render_repair (gint32 drawable, const FilterSettings *settings, int width, int height)
{
  const FxGeometry geometry = { .width = width, .height = height };
  int lock = lock_take (LOCK_DRAWABLE (drawable), FALSE), x, y;
  RenderTarget now;

  filter_settings_get_growth (settings, &geometry, &x, &y);
  if (lock != -1 && x + y > 0 && render_target_init (&now, drawable, NULL) &&
      now.width == width + 2 * x && now.height == height + 2 * y && is_border_empty (&now, x, y))
    gimp_layer_resize (drawable, width, height, -x, -y);
  lock_free (lock);
}

/* The result is complete before the layer is touched, and a layer that was resized gets its pixels
 * at once. The user has no Cancel button in between. If this process is killed there, GIMP closes
 * the undo group, so that one step back restores the layer; a caller that survives repairs it. */
gboolean
render_grown (FxEngine *engine, const RenderTarget *target, const RenderJob *job, FxReport *report,
              GError **error)
{
  gint32 image = gimp_item_get_image (target->drawable);
  RenderTraffic traffic;
  gint64 start;
  gboolean done;

  if (! render_job_check_size (job, error))
    return FALSE;
  render_traffic_init (&traffic, target, job);
  traffic.result = map_file (render_traffic_get_size (&traffic), error);
  done = traffic.result && render_traffic_run (&traffic, engine, report, error);
  g_clear_pointer (&traffic.tiles, tiles_close); /* they have the layer's old size */
  start = g_get_monotonic_time ();
  if (done)
    gimp_progress_end ();
  done = done && (render_target_can_grow (target) || render_fail_grow (target, error));
  if (done)
    {
      gimp_image_undo_group_start (image);
      done = render_grow_put (&traffic, error);
      gimp_image_undo_group_end (image);
    }
  if (done)
    render_traffic_trace (&traffic, start);
  render_traffic_clear (&traffic);
  return done;
}
