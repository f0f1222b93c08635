#include "drawable-copy.h"

#include "mix.h"
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
  RenderTarget channel;
  int x, y;    /* the drawable's offsets in the image */
  FxRect rect; /* the part of the drawable that is selected at all */
} Selection;

struct DrawableCopy {
  RenderTarget target;
  DrawableCopyChangedFunc changed; /* may be NULL */
  gpointer data;
  gsize pixel, stride; /* in bytes */
  guint8 *pixels;
  guint8 *mask;      /* NULL if there has never been a selection */
  gboolean has_mask; /* the mask applies */
  guint locked;      /* channels that no filter changes: bits */

  /* The pass under way: reads bands of rows, each as high as a tile, from left to right. */
  Tiles *tiles; /* NULL: no pass is under way */
  Selection selection;
  int bands;
  guint8 *done;     /* for each band: whether it has been read */
  int band, tile;   /* the next tile to read; band -1: find the next band first */
  gboolean differs; /* whether the band differs from the pixels and the mask before */
  guint8 *buffer;   /* one tile */
  gint64 microseconds;
  int slices; /* calls that the pass has taken */
};

/* Memory. */

static double
get_size (const RenderTarget *target)
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
drawable_copy_check_memory (const RenderTarget *target, GError **error)
{
  double size = get_size (target);

  if (is_room (size))
    return TRUE;
  g_set_error (error, FX_ERROR, FX_ERROR_MEMORY,
               _ ("The layer is too large for a preview on this machine: it has %.1f GB of pixels"),
               size / 1e9);
  return FALSE;
}

static gboolean
set_no_memory (GError **error)
{
  g_set_error (error, FX_ERROR, FX_ERROR_MEMORY, _ ("There is not enough memory for the preview"));
  return FALSE;
}

DrawableCopy *
drawable_copy_new (const RenderTarget *target, GError **error)
{
  DrawableCopy *copy;

  if (! drawable_copy_check_memory (target, error))
    return NULL;
  copy = g_new0 (DrawableCopy, 1);
  copy->target = *target;
  copy->pixel = fx_format_size (&target->format);
  copy->stride = target->width * copy->pixel;
  copy->band = -1;
  copy->bands = (target->height + (int) gimp_tile_height () - 1) / (int) gimp_tile_height ();
  copy->done = g_new0 (guint8, copy->bands);
  copy->buffer = g_malloc_n (gimp_tile_width () * gimp_tile_height (), copy->pixel);
  copy->pixels = g_try_malloc0_n (target->height, copy->stride);
  if (copy->pixels)
    return copy;
  set_no_memory (error);
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
  g_free (copy->mask);
  g_free (copy->pixels);
  g_free (copy);
}

void
drawable_copy_set_changed (DrawableCopy *copy, DrawableCopyChangedFunc changed, gpointer data)
{
  copy->changed = changed;
  copy->data = data;
}

static void
drawable_copy_tell (const DrawableCopy *copy, int y, int rows)
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
      ! render_target_init (&selection->channel, channel, NULL))
    return;
  selection->tiles = tiles_open (channel, TRUE);
  gimp_drawable_offsets (drawable, &selection->x, &selection->y);
  if (! gimp_drawable_mask_intersect (drawable, &rect->x, &rect->y, &rect->width, &rect->height))
    *rect = (FxRect) { 0 };
}

/* If the mask comes or goes, all rows change. */
static gboolean
set_mask (DrawableCopy *copy, GError **error)
{
  gboolean has_mask = copy->selection.tiles != NULL;

  if (has_mask && ! copy->mask)
    copy->mask = g_try_malloc0_n (copy->target.height, copy->target.width);
  if (has_mask && ! copy->mask)
    return set_no_memory (error);
  if (has_mask == copy->has_mask)
    return TRUE;
  copy->has_mask = has_mask;
  drawable_copy_tell (copy, 0, copy->target.height);
  return TRUE;
}

/* When GIMP merges a result, it restores the components that are not active, and an alpha that is
 * locked. For grey images it does not say whether alpha is active. */
static guint
find_locked (const RenderTarget *target)
{
  gint32 drawable = target->drawable, image = gimp_item_get_image (drawable);
  int channels = target->format.channels, colors = channels % 2 ? channels : channels - 1, c;
  gboolean rgb = colors == 3;
  guint locked = 0;

  if (! gimp_item_is_layer (drawable))
    return 0;
  for (c = 0; c < colors; c++)
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
  drawable_copy_tell (copy, 0, copy->target.height);
}

static gboolean
is_same (const RenderTarget *a, const RenderTarget *b)
{
  return a->drawable == b->drawable && a->width == b->width && a->height == b->height &&
         strcmp (a->encoding, b->encoding) == 0;
}

/* GIMP ends a process that asks for tiles of a drawable whose size or format has changed. */
static gboolean
is_as_it_was (const RenderTarget *target)
{
  RenderTarget now;

  return render_target_init (&now, target->drawable, NULL) && is_same (&now, target);
}

/* Reports the band now: the next pass would find no difference in the tiles that were read. */
static void
leave_band (DrawableCopy *copy)
{
  int y = copy->band * (int) gimp_tile_height ();

  if (copy->band >= 0 && copy->differs)
    drawable_copy_tell (copy, y, MIN ((int) gimp_tile_height (), copy->target.height - y));
  copy->band = -1;
}

gboolean
drawable_copy_begin (DrawableCopy *copy, GError **error)
{
  leave_band (copy);
  end_pass (copy);
  if (! is_as_it_was (&copy->target))
    return fx_refuse (error, _ ("The layer has changed, and the preview cannot follow"));
  copy->tiles = tiles_open (copy->target.drawable, FALSE);
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

static FxRect
get_tile_rect (const DrawableCopy *copy)
{
  int width = (int) gimp_tile_width (), height = (int) gimp_tile_height ();
  int x = copy->tile * width, y = copy->band * height;

  return (FxRect) { x, y, MIN (width, copy->target.width - x),
                    MIN (height, copy->target.height - y) };
}

/* Copies rows to their place, and notes whether they differ from what was there. */
static void
keep (DrawableCopy *copy, guint8 *place, gsize stride, const guint8 *rows, gsize size, int count)
{
  int row;

  for (row = 0; row < count; row++, place += stride, rows += size)
    if (memcmp (place, rows, size) != 0)
      {
        memcpy (place, rows, size);
        copy->differs = TRUE;
      }
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
  keep (copy, copy->mask + (gsize) rect->y * copy->target.width + rect->x, copy->target.width, mask,
        rect->width, rect->height);
}

static void
read_tile (DrawableCopy *copy)
{
  FxRect rect = get_tile_rect (copy);
  gsize size = rect.width * copy->pixel;

  tiles_read (copy->tiles, &rect, copy->buffer, size);
  keep (copy, copy->pixels + rect.y * copy->stride + rect.x * copy->pixel, copy->stride,
        copy->buffer, size, rect.height);
  if (copy->selection.tiles)
    read_mask (copy, &rect);
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
  FxRect rect = get_tile_rect (copy);

  read_tile (copy);
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
      fx_trace ("source", now - copy->microseconds, copy->stride * copy->target.height, "%d slices",
                copy->slices);
    }
  return more;
}

/* Access. */

gconstpointer
drawable_copy_get_pixels (const DrawableCopy *copy)
{
  return copy->pixels;
}

const guint8 *
drawable_copy_get_mask (const DrawableCopy *copy)
{
  return copy->has_mask ? copy->mask : NULL;
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
drawable_copy_get_rect (const DrawableCopy *copy, const FxRect *rect, gpointer pixels, gsize stride)
{
  int x0 = CLAMP (rect->x, 0, copy->target.width);
  int x1 = CLAMP (rect->x + rect->width, x0, copy->target.width);
  gsize before = (x0 - rect->x) * copy->pixel, size = (x1 - x0) * copy->pixel;
  gsize after = (rect->x + rect->width - x1) * copy->pixel;
  int row;

  for (row = 0; row < rect->height; row++)
    {
      guint8 *out = (guint8 *) pixels + row * stride;
      int y = rect->y + row;

      if (y < 0 || y >= copy->target.height || x0 == x1)
        {
          memset (out, 0, rect->width * copy->pixel);
          continue;
        }
      memset (out, 0, before);
      memcpy (out + before, copy->pixels + y * copy->stride + x0 * copy->pixel, size);
      memset (out + before + size, 0, after);
    }
}
