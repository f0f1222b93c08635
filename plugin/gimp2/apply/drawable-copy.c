#include "drawable-copy.h"

#include "mix.h"
#include "rectangle.h"
#include "tiles.h"
#include "trace.h"

#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>
#include <string.h>
#include <unistd.h>

#define MEMORY_SHARE 2 /* the pixels may take 1 / MEMORY_SHARE of the machine's memory */

/* A selection that limits the filter. */
typedef struct {
  Tiles *tiles; /* NULL: there is no selection */
  ApplyTarget channel;
  int x, y;    /* the drawable's offsets in the image */
  FxRect rect; /* the part of the drawable that is selected at all */
} Selection;

/* The pixels, or the mask. */
typedef struct {
  gsize pixel;      /* in bytes */
  guint8 *bytes;    /* rows without padding */
  guint8 **waiting; /* for each tile: its new bytes, read while others read; or NULL */
} Plane;

struct DrawableCopy {
  ApplyTarget target;
  DrawableCopyChangedFunc changed; /* may be NULL */
  gpointer data;
  GMutex lock; /* protects held, and the planes from writers */
  GCond released;
  gboolean held; /* another thread reads the planes */
  Plane pixels;
  Plane mask;        /* has no bytes if there has never been a selection */
  gboolean has_mask; /* the mask applies */
  guint locked;      /* channels that no filter changes: bits */

  /* The pass under way: reads bands of rows, each as high as a tile, from left to right. */
  Tiles *tiles; /* NULL: no pass is under way */
  Selection selection;
  int bands, tiles_across;
  guint8 *done;     /* for each band: whether it has been read */
  int band, tile;   /* the next tile to read; band -1: find the next band first */
  gboolean differs; /* whether the band differs from the pixels and the mask before */
  guint8 *buffer;   /* one tile */
  gint64 microseconds;
  int slices; /* calls that the pass has taken */
};

/* Memory. */

static double
get_size (const ApplyTarget *target)
{
  return (double) target->width * target->height * fx_format_size (&target->format);
}

static gboolean
is_room (double bytes)
{
  return bytes <=
         (double) sysconf (_SC_PHYS_PAGES) * (double) sysconf (_SC_PAGESIZE) / MEMORY_SHARE;
}

gboolean
drawable_copy_has_room (const DrawableCopy *copy, double bytes)
{
  return is_room (get_size (&copy->target) + bytes);
}

static gboolean
drawable_copy_check_memory (const ApplyTarget *target, GError **error)
{
  double size = get_size (target);

  return is_room (size) ||
         fx_fail (
           error, FX_ERROR_MEMORY,
           _ ("The layer is too large for a preview on this machine: it has %.1f GB of pixels"),
           size / 1e9);
}

/* Returns FALSE with error if there is not enough memory. */
static gboolean
plane_init (Plane *plane, const DrawableCopy *copy, gsize pixel, GError **error)
{
  plane->pixel = pixel;
  plane->waiting = g_try_new0 (guint8 *, (gsize) copy->bands * copy->tiles_across);
  plane->bytes = g_try_malloc0_n (copy->target.height, copy->target.width * pixel);
  return (plane->waiting && plane->bytes) ||
         fx_fail (error, FX_ERROR_MEMORY, _ ("There is not enough memory for the preview"));
}

static void
plane_clear (Plane *plane, const DrawableCopy *copy)
{
  for (int i = 0; plane->waiting && i < copy->bands * copy->tiles_across; i++)
    g_free (plane->waiting[i]);
  g_clear_pointer (&plane->waiting, g_free);
  g_clear_pointer (&plane->bytes, g_free);
}

DrawableCopy *
drawable_copy_new (const ApplyTarget *target, GError **error)
{
  int tile_width = (int) gimp_tile_width (), tile_height = (int) gimp_tile_height ();
  gsize pixel = fx_format_size (&target->format);
  DrawableCopy *copy;

  if (! drawable_copy_check_memory (target, error))
    return NULL;
  copy = g_new0 (DrawableCopy, 1);
  g_mutex_init (&copy->lock);
  g_cond_init (&copy->released);
  copy->target = *target;
  copy->band = -1;
  copy->bands = (target->height + tile_height - 1) / tile_height;
  copy->tiles_across = (target->width + tile_width - 1) / tile_width;
  copy->done = g_new0 (guint8, copy->bands);
  copy->buffer = g_malloc_n ((gsize) tile_width * tile_height, pixel);
  if (plane_init (&copy->pixels, copy, pixel, error))
    return copy;
  drawable_copy_free (copy);
  return NULL;
}

static void
end_pass (DrawableCopy *copy)
{
  g_clear_pointer (&copy->tiles, tiles_close);
  g_clear_pointer (&copy->selection.tiles, tiles_close);
}

void
drawable_copy_free (DrawableCopy *copy)
{
  if (! copy)
    return;
  end_pass (copy);
  g_free (copy->buffer);
  g_free (copy->done);
  plane_clear (&copy->mask, copy);
  plane_clear (&copy->pixels, copy);
  g_mutex_clear (&copy->lock);
  g_cond_clear (&copy->released);
  g_free (copy);
}

void
drawable_copy_set_changed (DrawableCopy *copy, DrawableCopyChangedFunc changed, gpointer data)
{
  copy->changed = changed;
  copy->data = data;
}

static void
drawable_copy_notify (const DrawableCopy *copy, int y, int rows)
{
  if (copy->changed)
    copy->changed (copy->data, y, rows);
}

/* Beginning a pass. */

/* Finds the selection that limits the filter. If the selection itself is filtered, nothing does. */
static void
open_selection (DrawableCopy *copy)
{
  Selection *selection = &copy->selection;
  FxRect *rect = &selection->rect;
  gint32 drawable = copy->target.drawable, image = gimp_item_get_image (drawable);
  gint32 channel = gimp_image_get_selection (image);

  *selection = (Selection) { .rect = { 0, 0, copy->target.width, copy->target.height } };
  if (channel == drawable || gimp_selection_is_empty (image) ||
      ! apply_target_init (&selection->channel, channel, NULL))
    return;
  selection->tiles = tiles_open (&selection->channel, TRUE);
  gimp_drawable_offsets (drawable, &selection->x, &selection->y);
  if (! gimp_drawable_mask_intersect (drawable, &rect->x, &rect->y, &rect->width, &rect->height))
    *rect = (FxRect) { 0 };
}

/* If the mask comes or goes, all rows change. */
static gboolean
set_mask (DrawableCopy *copy, GError **error)
{
  gboolean has_mask = copy->selection.tiles != NULL;

  if (has_mask && ! copy->mask.bytes && ! plane_init (&copy->mask, copy, 1, error))
    {
      plane_clear (&copy->mask, copy);
      return FALSE;
    }
  if (has_mask == copy->has_mask)
    return TRUE;
  copy->has_mask = has_mask;
  drawable_copy_notify (copy, 0, copy->target.height);
  return TRUE;
}

/* When GIMP merges a result, it restores the components that are not active, and an alpha that is
 * locked. For grey images it does not say whether alpha is active. */
static guint
find_locked (const ApplyTarget *target)
{
  gint32 drawable = target->drawable, image = gimp_item_get_image (drawable);
  int channels = target->format.channels, colors = channels % 2 ? channels : channels - 1;
  gboolean rgb = colors == 3;
  guint locked = 0;

  if (! gimp_item_is_layer (drawable))
    return 0;
  for (int c = 0; c < colors; c++)
    if (! gimp_image_get_component_active (image, rgb ? GIMP_CHANNEL_RED + c : GIMP_CHANNEL_GRAY))
      locked |= 1u << c;
  if (channels > colors && (gimp_layer_get_lock_alpha (drawable) ||
                            (rgb && ! gimp_image_get_component_active (image, GIMP_CHANNEL_ALPHA))))
    locked |= 1u << colors;
  return locked;
}

static void
set_locked (DrawableCopy *copy)
{
  guint locked = find_locked (&copy->target);

  if (locked == copy->locked)
    return;
  copy->locked = locked;
  drawable_copy_notify (copy, 0, copy->target.height);
}

static gboolean
is_same (const ApplyTarget *a, const ApplyTarget *b)
{
  return a->drawable == b->drawable && a->width == b->width && a->height == b->height &&
         strcmp (a->encoding, b->encoding) == 0 && fx_format_equal (&a->format, &b->format);
}

/* GIMP ends a process that asks for tiles of a drawable whose size or format has changed. */
static gboolean
is_as_it_was (const ApplyTarget *target)
{
  ApplyTarget now;

  return apply_target_init (&now, target->drawable, NULL) && is_same (&now, target);
}

/* Reports the band now: the next pass would find no difference in the tiles that were read. */
static void
leave_band (DrawableCopy *copy)
{
  int y = copy->band * (int) gimp_tile_height ();

  if (copy->band >= 0 && copy->differs)
    drawable_copy_notify (copy, y, MIN ((int) gimp_tile_height (), copy->target.height - y));
  copy->band = -1;
}

gboolean
drawable_copy_begin (DrawableCopy *copy, GError **error)
{
  leave_band (copy);
  end_pass (copy);
  if (! is_as_it_was (&copy->target))
    return fx_refuse (error, _ ("The layer has changed, and the preview cannot follow"));
  copy->tiles = tiles_open (&copy->target, FALSE);
  open_selection (copy);
  if (! set_mask (copy, error))
    {
      end_pass (copy);
      return FALSE;
    }
  set_locked (copy);
  memset (copy->done, FALSE, copy->bands);
  copy->microseconds = 0;
  copy->slices = 0;
  return TRUE;
}

/* Reading. */

/* Returns the tile that is the given one of its band. */
static FxRect
get_tile_rect (const DrawableCopy *copy, int band, int tile)
{
  int width = (int) gimp_tile_width (), height = (int) gimp_tile_height ();
  int x = tile * width, y = band * height;

  return (FxRect) { x, y, MIN (width, copy->target.width - x),
                    MIN (height, copy->target.height - y) };
}

/* Returns where the first row of rect is. */
static guint8 *
plane_find (const Plane *plane, const DrawableCopy *copy, const FxRect *rect)
{
  return plane->bytes + ((gsize) rect->y * copy->target.width + rect->x) * plane->pixel;
}

static gboolean
plane_has (const Plane *plane, const DrawableCopy *copy, const FxRect *rect, const guint8 *rows)
{
  gsize stride = copy->target.width * plane->pixel, size = rect->width * plane->pixel;
  const guint8 *place = plane_find (plane, copy, rect);

  for (int row = 0; row < rect->height; row++, place += stride, rows += size)
    if (memcmp (place, rows, size) != 0)
      return FALSE;
  return TRUE;
}

static void
plane_store (const Plane *plane, const DrawableCopy *copy, const FxRect *rect, const guint8 *rows)
{
  gsize size = rect->width * plane->pixel;

  copy_rows (plane_find (plane, copy, rect), copy->target.width * plane->pixel, rows, size, size,
             rect->height);
}

/* Stores a tile that differs. While the copy is held, the tile waits; without memory for that, this
 * function does. Call it under the lock. */
static void
store_or_wait (DrawableCopy *copy, const Plane *plane, const FxRect *rect, const guint8 *rows,
               guint8 **waiting)
{
  gsize size = (gsize) rect->width * rect->height * plane->pixel;

  if (copy->held && ! *waiting)
    *waiting = g_try_malloc (size);
  while (copy->held && ! *waiting)
    g_cond_wait (&copy->released, &copy->lock);
  if (*waiting)
    memcpy (*waiting, rows, size);
  else
    plane_store (plane, copy, rect, rows);
}

/* Keeps the tile that was read, and notes whether it differs from what was there. */
static void
keep (DrawableCopy *copy, const Plane *plane, const FxRect *rect, const guint8 *rows)
{
  guint8 **waiting = &plane->waiting[copy->band * copy->tiles_across + copy->tile];
  gsize size = (gsize) rect->width * rect->height * plane->pixel;

  g_mutex_lock (&copy->lock);
  if (*waiting ? memcmp (*waiting, rows, size) != 0 : ! plane_has (plane, copy, rect, rows))
    {
      store_or_wait (copy, plane, rect, rows, waiting);
      copy->differs = TRUE;
    }
  g_mutex_unlock (&copy->lock);
}

static void
read_mask (DrawableCopy *copy, const FxRect *rect)
{
  const Selection *selection = &copy->selection;
  FxRect moved = { rect->x + selection->x, rect->y + selection->y, rect->width, rect->height };
  gsize size = fx_format_size (&selection->channel.format);
  gsize count = (gsize) rect->width * rect->height;
  g_autofree gpointer samples = g_malloc_n (count, size);
  g_autofree guint8 *mask = g_malloc (count);

  tiles_read (selection->tiles, &moved, samples, rect->width * size);
  fx_mask_convert (&selection->channel.format, samples, mask, count);
  keep (copy, &copy->mask, rect, mask);
}

static void
read_tile (DrawableCopy *copy, const FxRect *rect)
{
  tiles_read (copy->tiles, rect, copy->buffer, rect->width * copy->pixels.pixel);
  keep (copy, &copy->pixels, rect, copy->buffer);
  if (copy->selection.tiles)
    read_mask (copy, rect);
}

/* Moves to a band that is not done: one of rows y to end - 1 if possible, else the first. Returns
 * FALSE if all are done. */
static gboolean
find_band (DrawableCopy *copy, int y, int end)
{
  int height = (int) gimp_tile_height (), band;

  for (band = MAX (y, 0) / height; band < copy->bands && band * height < end; band++)
    if (! copy->done[band])
      break;
  if (band >= copy->bands || band * height >= end)
    for (band = 0; band < copy->bands && copy->done[band]; band++)
      ;
  copy->band = band < copy->bands ? band : -1;
  copy->tile = 0;
  copy->differs = FALSE;
  return copy->band >= 0;
}

/* Reads the next tile. */
static void
drawable_copy_step (DrawableCopy *copy)
{
  FxRect rect = get_tile_rect (copy, copy->band, copy->tile);

  read_tile (copy, &rect);
  copy->tile++;
  if (rect.x + rect.width < copy->target.width)
    return;
  copy->done[copy->band] = TRUE;
  leave_band (copy);
}

gboolean
drawable_copy_read (DrawableCopy *copy, const FxRect *first, gint64 until)
{
  gint64 start = g_get_monotonic_time (), now;
  gboolean more = copy->tiles != NULL;

  if (more && ! (is_as_it_was (&copy->target) &&
                 (! copy->selection.tiles || is_as_it_was (&copy->selection.channel))))
    return drawable_copy_begin (copy, NULL);
  do
    {
      more = more && (copy->band >= 0 || find_band (copy, first->y, first->y + first->height));
      if (more)
        drawable_copy_step (copy);
      now = g_get_monotonic_time ();
    }
  while (more && now < until);
  copy->microseconds += now - start;
  copy->slices++;
  if (! more && copy->tiles)
    {
      end_pass (copy);
      fx_trace ("source", now - copy->microseconds, (gsize) get_size (&copy->target), "%d slices",
                copy->slices);
    }
  return more;
}

/* Access. */

gconstpointer
drawable_copy_get_pixels (const DrawableCopy *copy)
{
  return copy->pixels.bytes;
}

const guint8 *
drawable_copy_get_mask (const DrawableCopy *copy)
{
  return copy->has_mask ? copy->mask.bytes : NULL;
}

guint
drawable_copy_get_locked (const DrawableCopy *copy)
{
  return copy->locked;
}

gboolean
drawable_copy_get_selected (const DrawableCopy *copy, FxRect *rect)
{
  *rect = copy->selection.rect;
  return rect->width > 0 && rect->height > 0;
}

void
drawable_copy_hold (DrawableCopy *copy)
{
  g_mutex_lock (&copy->lock);
  copy->held = TRUE;
  g_mutex_unlock (&copy->lock);
}

/* Stores the tiles that wait. Call this under the lock. */
static void
plane_update (Plane *plane, const DrawableCopy *copy)
{
  for (int i = 0; plane->waiting && i < copy->bands * copy->tiles_across; i++)
    if (plane->waiting[i])
      {
        FxRect rect = get_tile_rect (copy, i / copy->tiles_across, i % copy->tiles_across);

        plane_store (plane, copy, &rect, plane->waiting[i]);
        g_clear_pointer (&plane->waiting[i], g_free);
      }
}

void
drawable_copy_release (DrawableCopy *copy)
{
  g_mutex_lock (&copy->lock);
  plane_update (&copy->pixels, copy);
  plane_update (&copy->mask, copy);
  copy->held = FALSE;
  g_cond_signal (&copy->released);
  g_mutex_unlock (&copy->lock);
}

void
drawable_copy_get_rect (const DrawableCopy *copy, const FxRect *rect, gpointer pixels, gsize stride)
{
  const FxRect whole = { 0, 0, copy->target.width, copy->target.height };
  FxRect there = rect_intersect (rect, &whole);
  gsize pixel = copy->pixels.pixel;

  if (there.width < rect->width || there.height < rect->height)
    clear_rows (pixels, stride, rect->width * pixel, rect->height);
  if (! rect_is_empty (&there))
    copy_rows ((guint8 *) pixels + (there.y - rect->y) * stride + (there.x - rect->x) * pixel,
               stride, plane_find (&copy->pixels, copy, &there), whole.width * pixel,
               there.width * pixel, there.height);
}
