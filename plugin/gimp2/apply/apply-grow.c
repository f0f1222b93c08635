#include "apply-grow.h"

#include "apply-merge.h"
#include "apply-callbacks.h"
#include "lock.h"
#include "rectangle.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <libgimp/gimp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Opens a file that has no name, and so is gone when the process ends. Returns NULL with error on
 * failure. */
static FILE *
open_file (GError **error)
{
  g_autofree char *path = NULL;
  int number = g_file_open_tmp ("cuda-blur-XXXXXX", &path, error);
  FILE *file = NULL;

  if (number == -1)
    return NULL;
  g_unlink (path);
  file = fdopen (number, "w+");
  if (file)
    return file;
  apply_callbacks_fail_file (error);
  close (number);
  return NULL;
}

/* White is all ones in integer formats, and 1.0 in the others. */
static void
set_white (const FxFormat *format, gpointer pixels, gsize n)
{
  for (gsize i = 0; i < n; i++)
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

/* Fills rows with those of part, without padding. */
typedef gboolean (*FillFunc) (gpointer data, Tiles *tiles, const FxRect *part, guint8 *rows,
                              GError **error);

/* Replaces all pixels, a row of tiles after the other, by way of the shadow: GIMP ends a process
 * that writes to a locked drawable, but only refuses to merge. */
static gboolean
replace_pixels (const ApplyTarget *target, FillFunc fill, gpointer data, GError **error)
{
  const FxRect whole = { 0, 0, target->width, target->height };
  gsize stride = (gsize) target->width * fx_format_size (&target->format);
  FxRect band = { 0, 0, target->width, (int) gimp_tile_height () };
  g_autofree guint8 *rows = g_try_malloc_n (gimp_tile_height (), stride);
  gboolean done = TRUE;
  Tiles *tiles;

  if (! rows)
    return fx_set_no_memory (error);
  tiles = tiles_open (target, FALSE);
  for (; done && band.y < target->height; band.y += band.height)
    {
      FxRect part = rect_intersect (&band, &whole);

      done = fill (data, tiles, &part, rows, error);
      if (done)
        tiles_write (tiles, &part, &whole, rows, stride);
    }
  if (done)
    return apply_merge (target, &tiles, &whole, TRUE, error);
  tiles_free_shadow (tiles);
  tiles_close (tiles);
  return FALSE;
}

/* A mask that has grown, and the place of what it was. */
typedef struct {
  ApplyTarget target;
  const FxRect *old;
} Mask;

static gboolean
fill_whitened (gpointer data, Tiles *tiles, const FxRect *part, guint8 *rows, GError **error)
{
  const Mask *mask = data;
  gsize pixel = fx_format_size (&mask->target.format), stride = part->width * pixel;
  FxRect kept = rect_intersect (part, mask->old);

  set_white (&mask->target.format, rows, (gsize) part->width * part->height);
  if (! rect_is_empty (&kept))
    tiles_read (tiles, &kept, rows + (kept.y - part->y) * stride + kept.x * pixel, stride);
  return TRUE;
}

gboolean
apply_grow_whiten (const ApplyTarget *layer, const FxRect *old, GError **error)
{
  gint32 drawable = gimp_layer_get_mask (layer->drawable);
  Mask mask = { .old = old };

  if (drawable == -1)
    return TRUE;
  if (! apply_target_init (&mask.target, drawable, error))
    return FALSE;
  if (mask.target.width != layer->width || mask.target.height != layer->height)
    return apply_fail_grow (layer, error);
  return replace_pixels (&mask.target, fill_whitened, &mask, error);
}

/* Fills rows with the next ones of the result. */
static gboolean
fill_result (gpointer data, Tiles *tiles, const FxRect *part, guint8 *rows, GError **error)
{
  const ApplyCallbacks *callbacks = data;
  gsize stride = (gsize) part->width * fx_format_size (&callbacks->target->format);

  errno = EIO; /* if fread does not say why */
  return fread (rows, stride, (gsize) part->height, callbacks->result) == (gsize) part->height ||
         apply_callbacks_fail_file (error);
}

/* Takes back the enlargement by put, unless someone else has changed the size since. */
static void
shrink (const ApplyTarget *grown, const ApplyJob *job)
{
  if (gimp_drawable_width (grown->drawable) == grown->width &&
      gimp_drawable_height (grown->drawable) == grown->height)
    gimp_layer_resize (grown->drawable, grown->width - 2 * job->grow_x,
                       grown->height - 2 * job->grow_y, -job->grow_x, -job->grow_y);
}

static gboolean
apply_grow_put (ApplyCallbacks *callbacks, GError **error)
{
  const ApplyJob *job = callbacks->job;
  ApplyTarget grown = *callbacks->target;
  const FxRect old = { job->grow_x, job->grow_y, grown.width, grown.height };
  GError *failure = NULL;
  gboolean whitened;

  grown.width = job->image.width;
  grown.height = job->image.height;
  if (! apply_target_check (callbacks->target, error))
    return FALSE;
  if (! gimp_layer_resize (grown.drawable, grown.width, grown.height, job->grow_x, job->grow_y))
    return apply_fail_gimp (error);
  rewind (callbacks->result);
  whitened = apply_grow_whiten (&grown, &old, &failure);
  if (whitened && apply_target_check (&grown, &failure) &&
      replace_pixels (&grown, fill_result, callbacks, &failure))
    return TRUE;
  if (! whitened || ! g_error_matches (failure, APPLY_ERROR, APPLY_ERROR_LATE))
    shrink (&grown, job);
  g_propagate_error (error, failure);
  return FALSE;
}

/* Returns whether all of rect is zero. Reads one tile's worth at a time. */
static gboolean
apply_grow_is_empty (Tiles *tiles, const ApplyTarget *target, const FxRect *rect)
{
  int width = (int) gimp_tile_width (), height = (int) gimp_tile_height ();
  gsize pixel = fx_format_size (&target->format);
  g_autofree guint8 *pixels = g_malloc0_n ((gsize) width * height, pixel);
  int right = rect->x + rect->width, bottom = rect->y + rect->height;
  gboolean empty = TRUE;

  for (int y = rect->y; empty && y < bottom; y += height)
    for (int x = rect->x; empty && x < right; x += width)
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
is_border_empty (const ApplyTarget *grown, int x, int y)
{
  int width = grown->width, height = grown->height, old_height = height - 2 * y;
  const FxRect border[] = {
    { 0, 0, width, y },
    { 0, y, x, old_height },
    { width - x, y, x, old_height },
    { 0, height - y, width, y },
  };
  Tiles *tiles = tiles_open (grown, FALSE);
  gboolean empty = TRUE;

  for (gsize i = 0; empty && i < G_N_ELEMENTS (border); i++)
    empty = rect_is_empty (&border[i]) || apply_grow_is_empty (tiles, grown, &border[i]);
  tiles_close (tiles);
  return empty;
}

void
apply_repair (gint32 drawable, const FilterSettings *settings, int width, int height)
{
  const FxGeometry geometry = { .width = width, .height = height };
  int lock = lock_take (LOCK_DRAWABLE (drawable), FALSE), x, y;
  ApplyTarget now;

  filter_settings_get_growth (settings, &geometry, &x, &y);
  if (lock != -1 && x + y > 0 && apply_target_init (&now, drawable, NULL) &&
      now.width == width + 2 * x && now.height == height + 2 * y && is_border_empty (&now, x, y))
    gimp_layer_resize (drawable, width, height, -x, -y);
  lock_free (lock);
}

/* The result is complete before the layer is touched, and a layer that was resized gets its pixels
 * at once. The user has no Cancel button in between. If this process is killed there, GIMP closes
 * the undo group, so that one step back restores the layer; a caller that survives repairs it. */
gboolean
apply_grown (FxEngine *engine, const ApplyTarget *target, const ApplyJob *job, FxReport *report,
             GError **error)
{
  gint32 image = gimp_item_get_image (target->drawable);
  ApplyCallbacks callbacks;
  gint64 start;
  gboolean done;

  if (! apply_job_check_size (job, error))
    return FALSE;
  apply_callbacks_init (&callbacks, target, job);
  callbacks.result = open_file (error);
  done = callbacks.result && apply_callbacks_run (&callbacks, engine, report, error);
  g_clear_pointer (&callbacks.tiles, tiles_close); /* they have the layer's old size */
  start = g_get_monotonic_time ();
  if (done)
    gimp_progress_end ();
  done = done && (apply_target_can_grow (target) || apply_fail_grow (target, error));
  if (done)
    {
      gimp_image_undo_group_start (image);
      done = apply_grow_put (&callbacks, error);
      gimp_image_undo_group_end (image);
    }
  if (done)
    apply_callbacks_trace (&callbacks, start);
  apply_callbacks_clear (&callbacks);
  return done;
}
