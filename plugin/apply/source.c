#include "source.h"

#include "mix.h"
#include "tiles.h"
#include "trace.h"

#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>
#include <string.h>
#include <unistd.h>

#define MEMORY_SHARE 2 /* of the machine's memory that the pixels may take: one in so many */

/* A selection that limits the blur. */
typedef struct {
  Tiles *tiles; /* NULL: there is none */
  RenderTarget channel;
  int x, y;    /* of the drawable in the image */
  FxRect rect; /* what of the drawable is selected at all */
} Selection;

struct Source {
  RenderTarget target;
  SourceChangedFunc changed; /* or NULL */
  gpointer data;
  gsize pixel, stride; /* bytes */
  guint8 *pixels;
  guint8 *mask;      /* or NULL, if there never was a selection */
  gboolean has_mask; /* mask counts */
  guint kept;        /* channels: bits */

  /* The pass that is under way: bands of rows as high as a tile, each from the left. */
  Tiles *tiles; /* NULL: there is none */
  Selection selection;
  int bands;
  guint8 *done;     /* for each band */
  int band, tile;   /* where to go on; band -1: nowhere yet */
  gboolean differs; /* the band, from what was there */
  guint8 *buffer;   /* of one tile */
  gint64 microseconds;
  int slices; /* calls that it has taken */
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
source_has_room (const Source *source, double bytes)
{
  return is_room (get_size (&source->target) + bytes);
}

static gboolean
check_memory (const RenderTarget *target, GError **error)
{
  double size = get_size (target);

  if (is_room (size))
    return TRUE;
  g_set_error (error, FX_ERROR, FX_ERROR_MEMORY,
               _("The layer is too large for a preview on this machine: it has %.1f GB of pixels"),
               size / 1e9);
  return FALSE;
}

Source *
source_new (const RenderTarget *target, GError **error)
{
  Source *source;

  if (! check_memory (target, error))
    return NULL;
  source = g_new0 (Source, 1);
  source->target = *target;
  source->pixel = fx_format_size (&target->format);
  source->stride = target->width * source->pixel;
  source->band = -1;
  source->bands = (target->height + (int) gimp_tile_height () - 1) / (int) gimp_tile_height ();
  source->done = g_new0 (guint8, source->bands);
  source->buffer = g_malloc_n (gimp_tile_width () * gimp_tile_height (), source->pixel);
  source->pixels = g_try_malloc0_n (target->height, source->stride);
  if (source->pixels)
    return source;
  g_set_error (error, FX_ERROR, FX_ERROR_MEMORY, _("There is not enough memory for the preview"));
  source_free (source);
  return NULL;
}

static void
end_pass (Source *source)
{
  g_clear_pointer (&source->tiles, tiles_close);
  g_clear_pointer (&source->selection.tiles, tiles_close);
}

void
source_free (Source *source)
{
  if (! source)
    return;
  end_pass (source);
  g_free (source->buffer);
  g_free (source->done);
  g_free (source->mask);
  g_free (source->pixels);
  g_free (source);
}

void
source_set_changed (Source *source, SourceChangedFunc changed, gpointer data)
{
  source->changed = changed;
  source->data = data;
}

static void
tell (const Source *source, int y, int rows)
{
  if (source->changed)
    source->changed (source->data, y, rows);
}

/* Beginning a pass. */

/* Sees what limits the blur: nothing, where the selection itself is blurred. */
static void
open_selection (Source *source)
{
  Selection *selection = &source->selection;
  FxRect *rect = &selection->rect;
  gint32 drawable = source->target.drawable, image = gimp_item_get_image (drawable);
  gint32 channel = gimp_image_get_selection (image);

  *selection = (Selection) { .rect = { 0, 0, source->target.width, source->target.height } };
  if (channel == drawable || gimp_selection_is_empty (image) ||
      ! render_target_init (&selection->channel, channel, NULL))
    return;
  selection->tiles = tiles_open (channel, TRUE);
  gimp_drawable_offsets (drawable, &selection->x, &selection->y);
  if (! gimp_drawable_mask_intersect (drawable, &rect->x, &rect->y, &rect->width, &rect->height))
    *rect = (FxRect) { 0 };
}

/* A mask that comes or goes changes everything. */
static void
set_mask (Source *source)
{
  gboolean has_mask = source->selection.tiles != NULL;

  if (has_mask && ! source->mask)
    source->mask = g_malloc0_n (source->target.height, source->target.width);
  if (has_mask == source->has_mask)
    return;
  source->has_mask = has_mask;
  tell (source, 0, source->target.height);
}

/* GIMP gives a layer back the components that are not active, and an alpha that is locked, when it
 * merges a result. Of a grey image it does not answer for alpha. */
static guint
find_kept (const RenderTarget *target)
{
  gint32 drawable = target->drawable, image = gimp_item_get_image (drawable);
  int channels = target->format.channels, colors = channels % 2 ? channels : channels - 1, c;
  gboolean rgb = colors == 3;
  guint kept = 0;

  if (! gimp_item_is_layer (drawable))
    return 0;
  for (c = 0; c < colors; c++)
    if (! gimp_image_get_component_active (image, rgb ? GIMP_CHANNEL_RED + c : GIMP_CHANNEL_GRAY))
      kept |= 1u << c;
  if (channels > colors && (gimp_layer_get_lock_alpha (drawable) ||
                            (rgb && ! gimp_image_get_component_active (image, GIMP_CHANNEL_ALPHA))))
    kept |= 1u << colors;
  return kept;
}

static void
set_kept (Source *source)
{
  guint kept = find_kept (&source->target);

  if (kept == source->kept)
    return;
  source->kept = kept;
  tell (source, 0, source->target.height);
}

static gboolean
is_same (const RenderTarget *a, const RenderTarget *b)
{
  return a->drawable == b->drawable && a->width == b->width && a->height == b->height &&
         strcmp (a->encoding, b->encoding) == 0;
}

/* GIMP ends a process that asks for tiles of what has another size or format by now. */
static gboolean
is_as_it_was (const RenderTarget *target)
{
  RenderTarget now;

  return render_target_init (&now, target->drawable, NULL) && is_same (&now, target);
}

/* What has come in of a band would be nothing new to the next pass. */
static void
leave_band (Source *source)
{
  int y = source->band * (int) gimp_tile_height ();

  if (source->band >= 0 && source->differs)
    tell (source, y, MIN ((int) gimp_tile_height (), source->target.height - y));
  source->band = -1;
}

gboolean
source_begin (Source *source)
{
  leave_band (source);
  end_pass (source);
  if (! is_as_it_was (&source->target))
    return FALSE;
  source->tiles = tiles_open (source->target.drawable, FALSE);
  open_selection (source);
  set_mask (source);
  set_kept (source);
  memset (source->done, FALSE, source->bands);
  source->microseconds = 0;
  source->slices = 0;
  return TRUE;
}

/* Reading. */

static FxRect
get_tile_rect (const Source *source)
{
  int width = (int) gimp_tile_width (), height = (int) gimp_tile_height ();
  int x = source->tile * width, y = source->band * height;

  return (FxRect) { x, y, MIN (width, source->target.width - x),
                    MIN (height, source->target.height - y) };
}

/* Copies rows that are to be in place, and notes whether they were not. */
static void
keep (Source *source, guint8 *place, gsize stride, const guint8 *rows, gsize size, int count)
{
  int row;

  for (row = 0; row < count; row++, place += stride, rows += size)
    if (memcmp (place, rows, size) != 0)
      {
        memcpy (place, rows, size);
        source->differs = TRUE;
      }
}

static void
read_mask (Source *source, const FxRect *rect)
{
  const Selection *selection = &source->selection;
  FxRect moved = { rect->x + selection->x, rect->y + selection->y, rect->width, rect->height };
  gsize size = fx_format_size (&selection->channel.format);
  gsize count = (gsize) rect->width * rect->height;
  g_autofree gpointer samples = g_malloc_n (count, size);
  g_autofree guint8 *mask = g_malloc (count);

  tiles_read (selection->tiles, &moved, samples, rect->width * size);
  fx_mask_convert (&selection->channel.format, samples, mask, count);
  keep (source, source->mask + (gsize) rect->y * source->target.width + rect->x,
        source->target.width, mask, rect->width, rect->height);
}

static void
read_tile (Source *source)
{
  FxRect rect = get_tile_rect (source);
  gsize size = rect.width * source->pixel;

  tiles_read (source->tiles, &rect, source->buffer, size);
  keep (source, source->pixels + rect.y * source->stride + rect.x * source->pixel, source->stride,
        source->buffer, size, rect.height);
  if (source->selection.tiles)
    read_mask (source, &rect);
}

/* Moves to a band that is not done yet: of rows y to end - 1 if there is one, else the first. FALSE
 * if there is none at all. */
static gboolean
find_band (Source *source, int y, int end)
{
  int height = (int) gimp_tile_height (), band;

  for (band = MAX (y, 0) / height; band < source->bands && band * height < end; band++)
    if (! source->done[band])
      break;
  if (band >= source->bands || band * height >= end)
    for (band = 0; band < source->bands && source->done[band]; band++)
      ;
  source->band = band < source->bands ? band : -1;
  source->tile = 0;
  source->differs = FALSE;
  return source->band >= 0;
}

/* Reads the next tile. */
static void
step (Source *source)
{
  FxRect rect = get_tile_rect (source);

  read_tile (source);
  source->tile++;
  if (rect.x + rect.width < source->target.width)
    return;
  source->done[source->band] = TRUE;
  leave_band (source);
}

gboolean
source_read (Source *source, const FxRect *first, gint64 until)
{
  gint64 start = g_get_monotonic_time (), now = start;
  gboolean more = source->tiles != NULL;

  if (more && ! (is_as_it_was (&source->target) &&
                 (! source->selection.tiles || is_as_it_was (&source->selection.channel))))
    return source_begin (source);
  do
    {
      more = more && (source->band >= 0 || find_band (source, first->y, first->y + first->height));
      if (more)
        step (source);
      now = g_get_monotonic_time ();
    }
  while (more && now < until);
  source->microseconds += now - start;
  source->slices++;
  if (! more && source->tiles)
    {
      end_pass (source);
      fx_trace ("source", now - source->microseconds, source->stride * source->target.height,
                "%d slices", source->slices);
    }
  return more;
}

/* What was read. */

gconstpointer
source_get_pixels (const Source *source)
{
  return source->pixels;
}

const guint8 *
source_get_mask (const Source *source)
{
  return source->has_mask ? source->mask : NULL;
}

guint
source_get_kept (const Source *source)
{
  return source->kept;
}

gboolean
source_get_selected (const Source *source, FxRect *rect)
{
  *rect = source->selection.rect;
  return rect->width > 0 && rect->height > 0;
}

void
source_copy (const Source *source, const FxRect *rect, gpointer pixels, gsize stride)
{
  int x0 = CLAMP (rect->x, 0, source->target.width);
  int x1 = CLAMP (rect->x + rect->width, x0, source->target.width);
  gsize before = (x0 - rect->x) * source->pixel, size = (x1 - x0) * source->pixel;
  gsize after = (rect->x + rect->width - x1) * source->pixel;
  int row;

  for (row = 0; row < rect->height; row++)
    {
      guint8 *out = (guint8 *) pixels + row * stride;
      int y = rect->y + row;

      if (y < 0 || y >= source->target.height || x0 == x1)
        {
          memset (out, 0, rect->width * source->pixel);
          continue;
        }
      memset (out, 0, before);
      memcpy (out + before, source->pixels + y * source->stride + x0 * source->pixel, size);
      memset (out + before + size, 0, after);
    }
}
