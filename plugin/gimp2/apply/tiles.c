#define GIMP_DISABLE_DEPRECATION_WARNINGS /* for the tile calls, which GEGL buffers use too */

#include "tiles.h"

#include "rectangle.h"

#include <libgimp/gimp.h>
#include <string.h>

#define PIXEL_MAX 32 /* bytes: RGBA in double */

struct Tiles {
  GimpDrawable *drawable;
  /* The first pixel written to the shadow that is not all zero; a new shadow is all zero. */
  gboolean marked;
  int x, y;
  guint8 mark[PIXEL_MAX];
};

static void
set_cache (const Tiles *tiles, gboolean split)
{
  const GimpDrawable *drawable = tiles->drawable;

  if ((gsize) drawable->width * drawable->bpp * gimp_tile_height () > FX_BAND_BYTES)
    split = TRUE;
  /* Two rows: one of the drawable's tiles, and one of the shadow's. */
  gimp_tile_cache_ntiles (split ? 2 * (drawable->ntile_cols + 1) : 0);
}

/* Fills the structure as gimp_drawable_get does. */
Tiles *
tiles_open (const ApplyTarget *target, gboolean split)
{
  guint width = (guint) target->width, height = (guint) target->height;
  guint tile_width = gimp_tile_width (), tile_height = gimp_tile_height ();
  Tiles *tiles = g_new0 (Tiles, 1);

  gimp_plugin_enable_precision (); /* otherwise GIMP would convert all pixels to 8-bit */
  tiles->drawable = g_slice_new0 (GimpDrawable);
  tiles->drawable->drawable_id = target->drawable;
  tiles->drawable->width = width;
  tiles->drawable->height = height;
  tiles->drawable->bpp = (guint) fx_format_size (&target->format);
  tiles->drawable->ntile_cols = (width + tile_width - 1) / tile_width;
  tiles->drawable->ntile_rows = (height + tile_height - 1) / tile_height;
  set_cache (tiles, split);
  return tiles;
}

void
tiles_close (Tiles *tiles)
{
  if (! tiles)
    return;
  gimp_drawable_detach (tiles->drawable);
  g_free (tiles);
}

static FxRect
tiles_get_extent (const Tiles *tiles)
{
  return (FxRect) { 0, 0, tiles->drawable->width, tiles->drawable->height };
}

/* Finds the next tile that rect touches, in rows from the left. extent must be empty at first.
 * Returns FALSE if there are no more. */
static gboolean
tiles_step (const Tiles *tiles, const FxRect *rect, int *row, int *column, FxRect *extent)
{
  int width = (int) gimp_tile_width (), height = (int) gimp_tile_height ();
  FxRect whole = tiles_get_extent (tiles);

  if (rect_is_empty (extent))
    {
      *row = rect->y / height;
      *column = rect->x / width;
    }
  else if (++*column * width >= rect->x + rect->width)
    {
      *column = rect->x / width;
      ++*row;
    }
  *extent = (FxRect) { *column * width, *row * height, width, height };
  *extent = rect_intersect (extent, &whole);
  return *row * height < rect->y + rect->height;
}

/* Returns the first byte of part, which lies within the tile's extent. */
static guint8 *
tiles_get_place (const GimpTile *tile, const FxRect *extent, const FxRect *part)
{
  return tile->data +
         ((gsize) (part->y - extent->y) * tile->ewidth + (part->x - extent->x)) * tile->bpp;
}

void
tiles_read (Tiles *tiles, const FxRect *rect, gpointer pixels, gsize stride)
{
  gsize pixel = tiles->drawable->bpp;
  FxRect whole = tiles_get_extent (tiles);
  FxRect there = rect_intersect (rect, &whole);
  FxRect extent = { 0 };
  int row, column;

  if (there.width < rect->width || there.height < rect->height)
    clear_rows (pixels, stride, rect->width * pixel, rect->height);
  if (rect_is_empty (&there))
    return;
  while (tiles_step (tiles, &there, &row, &column, &extent))
    {
      FxRect part = rect_intersect (&extent, &there);
      GimpTile *tile = gimp_drawable_get_tile (tiles->drawable, FALSE, row, column);

      gimp_tile_ref (tile);
      copy_rows ((guint8 *) pixels + (part.y - rect->y) * stride + (part.x - rect->x) * pixel,
                 stride, tiles_get_place (tile, &extent, &part), tile->ewidth * pixel,
                 part.width * pixel, part.height);
      gimp_tile_unref (tile, FALSE);
    }
}

static gboolean
is_zero (const guint8 *bytes, gsize size)
{
  return bytes[0] == 0 && memcmp (bytes, bytes + 1, size - 1) == 0;
}

/* Finds a pixel that is not all zero. Returns FALSE if there is none. */
static gboolean
find_pixel (const guint8 *pixels, gsize stride, gsize pixel, const FxRect *rect, int *x, int *y)
{
  for (*y = 0; *y < rect->height; ++*y, pixels += stride)
    if (! is_zero (pixels, rect->width * pixel))
      {
        for (*x = 0; is_zero (pixels, pixel); ++*x, pixels += pixel)
          ;
        return TRUE;
      }
  return FALSE;
}

/* Records a pixel of rect if none is recorded yet; if the recorded one lies in rect, updates its
 * value. */
static void
tiles_mark (Tiles *tiles, const FxRect *rect, const guint8 *pixels, gsize stride)
{
  gsize pixel = tiles->drawable->bpp;
  int x = tiles->x - rect->x, y = tiles->y - rect->y;

  if (tiles->marked ? x < 0 || x >= rect->width || y < 0 || y >= rect->height
                    : ! find_pixel (pixels, stride, pixel, rect, &x, &y))
    return;
  memcpy (tiles->mark, pixels + y * stride + x * pixel, pixel);
  tiles->x = rect->x + x;
  tiles->y = rect->y + y;
  tiles->marked = TRUE;
}

/* Writes rect to the drawable, at once, or to its shadow. */
static void
tiles_store (Tiles *tiles, gboolean shadow, const FxRect *rect, const FxRect *wanted,
             gconstpointer pixels, gsize stride)
{
  gsize pixel = tiles->drawable->bpp;
  FxRect extent = { 0 };
  int row, column;

  while (tiles_step (tiles, rect, &row, &column, &extent))
    {
      FxRect part = rect_intersect (&extent, rect), all = rect_intersect (&extent, wanted);
      GimpTile *tile = gimp_drawable_get_tile (tiles->drawable, shadow, row, column);

      if (part.width == all.width && part.height == all.height)
        gimp_tile_ref_zero (tile); /* GIMP need not send the tile's old pixels */
      else
        gimp_tile_ref (tile);
      copy_rows (tiles_get_place (tile, &extent, &part), tile->ewidth * pixel,
                 (const guint8 *) pixels + (part.y - rect->y) * stride + (part.x - rect->x) * pixel,
                 stride, part.width * pixel, part.height);
      tile->dirty = TRUE;
      if (! shadow)
        gimp_tile_flush (tile); /* do not wait for the cache */
      gimp_tile_unref (tile, FALSE);
    }
}

void
tiles_write (Tiles *tiles, const FxRect *rect, const FxRect *wanted, gconstpointer pixels,
             gsize stride)
{
  tiles_mark (tiles, rect, pixels, stride);
  tiles_store (tiles, TRUE, rect, wanted, pixels, stride);
}

void
tiles_flush (Tiles *tiles)
{
  gimp_drawable_flush (tiles->drawable);
}

void
tiles_free_shadow (Tiles *tiles)
{
  GimpDrawable *drawable = tiles->drawable;

  for (guint i = 0; drawable->shadow_tiles && i < drawable->ntile_rows * drawable->ntile_cols; i++)
    drawable->shadow_tiles[i].dirty = FALSE;
  gimp_drawable_free_shadow (drawable->drawable_id);
}

gboolean
tiles_check_shadow (Tiles *tiles)
{
  const FxRect pixel = { tiles->x, tiles->y, 1, 1 };
  FxRect extent = { 0 };
  GimpDrawable *again; /* has no tiles yet, and so gets them from GIMP */
  GimpTile *tile;
  int row, column;
  gboolean same;

  if (! tiles->marked)
    return TRUE;
  again = g_slice_dup (GimpDrawable, tiles->drawable);
  again->tiles = again->shadow_tiles = NULL;
  tiles_step (tiles, &pixel, &row, &column, &extent);
  tile = gimp_drawable_get_tile (again, TRUE, row, column);
  gimp_tile_ref (tile);
  same = memcmp (tiles_get_place (tile, &extent, &pixel), tiles->mark, again->bpp) == 0;
  gimp_tile_unref (tile, FALSE);
  gimp_drawable_detach (again);
  return same;
}

void
tiles_put (Tiles *tiles, const FxRect *rect, gconstpointer pixels, gsize stride)
{
  FxRect whole = tiles_get_extent (tiles);

  if (! rect_is_empty (rect))
    tiles_store (tiles, FALSE, rect, &whole, pixels, stride);
}
