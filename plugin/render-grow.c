/* A layer that grows. */
#include "render-traffic.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <libgimp/gimp.h>
#include <string.h>
#include <unistd.h>

gboolean
render_check_grown_size (const RenderPlan *plan, GError **error)
{
  if (plan->image.width <= GIMP_MAX_IMAGE_SIZE && plan->image.height <= GIMP_MAX_IMAGE_SIZE)
    return TRUE;
  g_set_error (error, RENDER_ERROR, RENDER_ERROR_REFUSED,
               _("grow would make the layer %d x %d pixels, but it must be at most %d x %d"),
               plan->image.width, plan->image.height, GIMP_MAX_IMAGE_SIZE, GIMP_MAX_IMAGE_SIZE);
  return FALSE;
}

/* A file without a name, gone with the process. -1 with error on failure. */
static int
open_file (GError **error)
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
                       _("A temporary file cannot be read: %s"), g_strerror (n < 0 ? errno : EIO));
          return FALSE;
        }
      pixels += n;
      size -= (gsize) n;
      place += n;
    }
  return TRUE;
}

/* Fills a band of rows, stride bytes each, of what is to be written to a shadow. */
typedef gboolean (*FillFunc) (gpointer data, const BlurRect *band, guint8 *pixels, gsize stride,
                              GError **error);

/* Gives a whole drawable other pixels, a row of tiles at a time; tiles are then closed. */
static gboolean
replace (gint32 drawable, Tiles **tiles, FillFunc fill, gpointer data, GError **error)
{
  BlurRect whole = { 0, 0, gimp_drawable_width (drawable), gimp_drawable_height (drawable) };
  gsize stride = (gsize) whole.width * gimp_drawable_bpp (drawable);
  g_autofree guint8 *pixels = g_try_malloc_n (stride, gimp_tile_height ());
  BlurRect band = whole;
  gboolean done = pixels != NULL;

  if (! done)
    g_set_error (error, BLUR_ERROR, BLUR_ERROR_MEMORY, _("There is not enough memory for the blur"));
  for (band.y = 0; band.y < whole.height && done; band.y += band.height)
    {
      band.height = MIN ((int) gimp_tile_height (), whole.height - band.y);
      done = fill (data, &band, pixels, stride, error);
      if (done)
        tiles_write (*tiles, &band, &whole, pixels, stride);
    }
  if (done)
    return render_merge (drawable, tiles, &whole, error);
  g_clear_pointer (tiles, tiles_close);
  gimp_drawable_free_shadow (drawable);
  return FALSE;
}

static gboolean
fill_from_file (gpointer data, const BlurRect *band, guint8 *pixels, gsize stride, GError **error)
{
  RenderTraffic *traffic = data;

  return read_file (traffic->file, pixels, stride * band->height, (off_t) band->y * (off_t) stride,
                    error);
}

/* A mask that grows: its own pixels, and white around them. */
typedef struct {
  Tiles *tiles;
  BlurRect old; /* its pixels */
  BlurFormat format;
} Mask;

/* White is all ones in integers, 1.0 in the others. */
void
render_set_white (const BlurFormat *format, gpointer pixels, gsize n)
{
  gsize i;

  for (i = 0; i < n; i++)
    switch (format->sample)
      {
      case BLUR_SAMPLE_HALF:
        ((guint16 *) pixels)[i] = 0x3c00;
        break;

      case BLUR_SAMPLE_FLOAT:
        ((float *) pixels)[i] = 1.0f;
        break;

      case BLUR_SAMPLE_DOUBLE:
        ((double *) pixels)[i] = 1.0;
        break;

      default:
        memset (pixels, 0xff, n * blur_format_size (format));
        return;
      }
}

static gboolean
fill_mask (gpointer data, const BlurRect *band, guint8 *pixels, gsize stride, GError **error)
{
  Mask *mask = data;
  gsize size = blur_format_size (&mask->format);
  int top = MAX (band->y, mask->old.y);
  int bottom = MIN (band->y + band->height, mask->old.y + mask->old.height);

  render_set_white (&mask->format, pixels, (gsize) band->width * band->height);
  if (top < bottom)
    tiles_read (mask->tiles, &(BlurRect) { mask->old.x, top, mask->old.width, bottom - top },
                pixels + (top - band->y) * stride + mask->old.x * size, stride);
  return TRUE;
}

/* GIMP enlarges a mask by black, which would hide what the layer has grown by. */
static gboolean
whiten_border (gint32 drawable, const RenderTarget *target, const RenderPlan *plan, GError **error)
{
  Mask mask = { .old = { plan->grow_x, plan->grow_y, target->width, target->height } };
  RenderTarget described;

  if (! render_target_init (&described, drawable, error))
    return FALSE;
  mask.format = described.format;
  mask.tiles = tiles_open (drawable, TRUE);
  return replace (drawable, &mask.tiles, fill_mask, &mask, error);
}

/* The layer's result, which has the layer's new size. */
static gboolean
replace_layer (RenderTraffic *traffic, GError **error)
{
  Tiles *tiles = tiles_open (traffic->target->drawable, FALSE);

  return replace (traffic->target->drawable, &tiles, fill_from_file, traffic, error);
}

static gboolean
put (RenderTraffic *traffic, GError **error)
{
  const RenderTarget *target = traffic->target;
  const RenderPlan *plan = traffic->plan;
  gint32 mask = gimp_layer_get_mask (target->drawable);

  if (! gimp_layer_resize (target->drawable, plan->image.width, plan->image.height, plan->grow_x,
                           plan->grow_y))
    return render_fail_gimp (error);
  if ((mask == -1 || whiten_border (mask, target, plan, error)) &&
      replace_layer (traffic, error))
    return TRUE;
  gimp_layer_resize (target->drawable, target->width, target->height, -plan->grow_x,
                     -plan->grow_y);
  return FALSE;
}

/* The result is complete before the layer is touched; a layer that has been resized is given its
 * pixels at once. In between there is no Cancel to press, and if this process is killed there, GIMP
 * closes the undo group: one step back is the layer as it was. */
gboolean
render_grown (BlurEngine *engine, const RenderTarget *target, const RenderPlan *plan,
              Source *source, BlurReport *report, GError **error)
{
  gint32 image = gimp_item_get_image (target->drawable);
  RenderTraffic traffic;
  gint64 start;
  gboolean done;

  if (! render_check_grown_size (plan, error))
    return FALSE;
  render_traffic_init (&traffic, target, plan, source);
  traffic.file = open_file (error);
  done = traffic.file != -1 && render_traffic_run (&traffic, engine, report, error);
  g_clear_pointer (&traffic.tiles, tiles_close); /* of the layer's old size */
  start = g_get_monotonic_time ();
  if (done)
    {
      gimp_progress_end ();
      gimp_image_undo_group_start (image);
      done = put (&traffic, error);
      gimp_image_undo_group_end (image);
    }
  if (done)
    render_traffic_trace (&traffic, start);
  render_traffic_clear (&traffic);
  return done;
}
