#include "render-grow.h"

#include "lock.h"
#include "rectangle.h"
#include "render-merge.h"
#include "render-traffic.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <libgimp/gimp.h>
#include <string.h>
#include <unistd.h>

/* Opens a file that has no name, and so is gone when the process ends. Returns -1 with error on
 * failure. */
static int
render_grow_open_file (GError **error)
{
  g_autofree char *path = NULL;
  int file = g_file_open_tmp ("cuda-blur-XXXXXX", &path, error);

  if (file != -1)
    g_unlink (path);
  return file;
}

static gboolean
read_file (int file, guint8 *pixels, gsize size, off_t place, GError **error)
{
  while (size > 0)
    {
      gssize n = pread (file, pixels, size, place);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        {
          g_set_error (error, RENDER_ERROR, RENDER_ERROR_FILE,
                       _ ("A temporary file cannot be read: %s"), g_strerror (n < 0 ? errno : EIO));
          return FALSE;
        }
      pixels += n;
      size -= (gsize) n;
      place += n;
    }
  return TRUE;
}

/* Fills a band of rows, stride bytes apart, to be written to a shadow. */
typedef gboolean (*FillFunc) (gpointer data, const FxRect *band, guint8 *pixels, gsize stride,
                              GError **error);

/* Writes the whole shadow, one row of tiles at a time. */
static gboolean
render_grow_write_all (const RenderTarget *target, Tiles *tiles, FillFunc fill, gpointer data,
                       GError **error)
{
  FxRect whole = { 0, 0, target->width, target->height };
  gsize stride = (gsize) whole.width * fx_format_size (&target->format);
  g_autofree guint8 *pixels = g_try_malloc_n (stride, gimp_tile_height ());
  FxRect band = whole;
  gboolean done = pixels != NULL;

  if (! done)
    g_set_error (error, FX_ERROR, FX_ERROR_MEMORY, _ ("There is not enough memory"));
  for (band.y = 0; band.y < whole.height && done; band.y += band.height)
    {
      band.height = MIN ((int) gimp_tile_height (), whole.height - band.y);
      done = fill (data, &band, pixels, stride, error);
      if (done)
        tiles_write (tiles, &band, &whole, pixels, stride);
    }
  return done;
}

/* Merges the shadow into target if it was written, else frees it. Closes tiles in either case. */
static gboolean
render_grow_end (const RenderTarget *target, Tiles **tiles, gboolean written, GError **error)
{
  const FxRect whole = { 0, 0, target->width, target->height };

  if (written)
    return render_merge (target, tiles, &whole, TRUE, error);
  tiles_free_shadow (*tiles);
  g_clear_pointer (tiles, tiles_close);
  return FALSE;
}

static gboolean
fill_from_file (gpointer data, const FxRect *band, guint8 *pixels, gsize stride, GError **error)
{
  RenderTraffic *traffic = data;

  return read_file (traffic->file, pixels, stride * band->height, (off_t) band->y * (off_t) stride,
                    error);
}

/* A mask that grows: its own pixels, surrounded by white. */
typedef struct {
  Tiles *tiles;
  FxRect old; /* the place of the old pixels */
  FxFormat format;
} Mask;

/* White is all ones in integer formats, and 1.0 in the others. */
void
render_set_white (const FxFormat *format, gpointer pixels, gsize n)
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

static gboolean
fill_mask (gpointer data, const FxRect *band, guint8 *pixels, gsize stride, GError **error)
{
  Mask *mask = data;
  gsize size = fx_format_size (&mask->format);
  int top = MAX (band->y, mask->old.y);
  int bottom = MIN (band->y + band->height, mask->old.y + mask->old.height);

  render_set_white (&mask->format, pixels, (gsize) band->width * band->height);
  if (top < bottom)
    tiles_read (mask->tiles, &(FxRect) { mask->old.x, top, mask->old.width, bottom - top },
                pixels + (top - band->y) * stride + mask->old.x * size, stride);
  return TRUE;
}

/* Fills the mask's new border with white: GIMP makes it black, which would hide the part by which
 * the layer has grown. grown is the layer. */
static gboolean
whiten_border (gint32 drawable, const RenderTarget *grown, const RenderJob *job, GError **error)
{
  Mask mask = { .old = { job->grow_x, job->grow_y, grown->width - 2 * job->grow_x,
                         grown->height - 2 * job->grow_y } };
  GError *failure = NULL;
  RenderTarget target;
  gboolean written;

  if (! render_target_init (&target, drawable, error))
    return FALSE;
  if (target.width != grown->width || target.height != grown->height)
    return render_fail_grow (grown, error);
  mask.format = target.format;
  mask.tiles = tiles_open (&target, TRUE);
  written = render_grow_write_all (&target, mask.tiles, fill_mask, &mask, &failure);
  if (render_grow_end (&target, &mask.tiles, written, &failure))
    return TRUE;
  if (! g_error_matches (failure, RENDER_ERROR, RENDER_ERROR_LATE))
    g_propagate_error (error, failure);
  else /* this code is only for the layer itself */
    {
      g_error_free (failure);
      render_fail_grow (grown, error);
    }
  return FALSE;
}

/* Writes the result to the layer. */
static gboolean
replace_layer (RenderTraffic *traffic, const RenderTarget *grown, GError **error)
{
  Tiles *tiles = tiles_open (grown, FALSE);
  gboolean written = render_target_check (grown, error) &&
                     render_grow_write_all (grown, tiles, fill_from_file, traffic, error);

  return render_grow_end (grown, &tiles, written, error);
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
render_grow_put (RenderTraffic *traffic, GError **error)
{
  const RenderJob *job = traffic->job;
  RenderTarget grown = *traffic->target;
  gint32 mask = gimp_layer_get_mask (grown.drawable);
  GError *failure = NULL;

  grown.width = job->image.width;
  grown.height = job->image.height;
  if (! render_target_check (traffic->target, error))
    return FALSE;
  if (! gimp_layer_resize (grown.drawable, grown.width, grown.height, job->grow_x, job->grow_y))
    return render_fail_gimp (error);
  if ((mask == -1 || whiten_border (mask, &grown, job, &failure)) &&
      replace_layer (traffic, &grown, &failure))
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
  int right = rect->x + rect->width, render_grow_end = rect->y + rect->height, x, y;
  gboolean empty = TRUE;

  for (y = rect->y; empty && y < render_grow_end; y += height)
    for (x = rect->x; empty && x < right; x += width)
      {
        FxRect part = { x, y, MIN (width, right - x), MIN (height, render_grow_end - y) };
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
  int width = grown->width - 2 * x, height = grown->height - 2 * y;
  const FxRect parts[] = {
    { 0, 0, grown->width, y },
    { 0, y + height, grown->width, y },
    { 0, y, x, height },
    { x + width, y, x, height },
  };
  Tiles *tiles = tiles_open (grown, FALSE);
  gboolean empty = TRUE;

  for (guint i = 0; empty && i < G_N_ELEMENTS (parts); i++)
    empty = rect_is_empty (&parts[i]) || render_grow_is_empty (tiles, grown, &parts[i]);
  tiles_close (tiles);
  return empty;
}

void
render_repair (gint32 drawable, const FilterSettings *settings, int width, int height)
{
  const FxGeometry geometry = { .width = width, .height = height };
  int lock = lock_take (LOCK_DRAWABLE (drawable), FALSE), x, y;
  RenderTarget now;

  filter_settings_get_filter (settings)->get_growth (settings, &geometry, &x, &y);
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
  traffic.file = render_grow_open_file (error);
  done = traffic.file != -1 && render_traffic_run (&traffic, engine, report, error);
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
