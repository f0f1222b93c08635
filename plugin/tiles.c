#define GIMP_DISABLE_DEPRECATION_WARNINGS /* of 2.10's own tile calls, which GEGL buffers go through */

#include "tiles.h"

#include <libgimp/gimp.h>
#include <string.h>

struct Tiles {
  GimpDrawable *drawable;
};

Tiles *
tiles_open (gint32 drawable, gboolean split)
{
  Tiles *tiles = g_new0 (Tiles, 1);
  gsize band;

  gimp_plugin_enable_precision (); /* else GIMP would make 8-bit of all pixels */
  tiles->drawable = gimp_drawable_get (drawable);
  band = (gsize) tiles->drawable->width * tiles->drawable->bpp * gimp_tile_height ();
  if (band > BLUR_BAND_BYTES)
    split = TRUE;
  /* Two rows: of the drawable's tiles and of the shadow's. */
  gimp_tile_cache_ntiles (split ? 2 * (tiles->drawable->ntile_cols + 1) : 0);
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

static BlurRect
intersect (const BlurRect *a, const BlurRect *b)
{
  int x0 = MAX (a->x, b->x), x1 = MIN (a->x + a->width, b->x + b->width);
  int y0 = MAX (a->y, b->y), y1 = MIN (a->y + a->height, b->y + b->height);

  return (BlurRect) { x0, y0, MAX (x1 - x0, 0), MAX (y1 - y0, 0) };
}

static gboolean
is_empty (const BlurRect *rect)
{
  return rect->width == 0 || rect->height == 0;
}

static BlurRect
get_extent (const Tiles *tiles)
{
  return (BlurRect) { 0, 0, tiles->drawable->width, tiles->drawable->height };
}

/* The next tile's place within rect, in rows from the left; extent is empty at first, and FALSE says
 * that there is none. */
static gboolean
step (const Tiles *tiles, const BlurRect *rect, int *row, int *column, BlurRect *extent)
{
  int width = (int) gimp_tile_width (), height = (int) gimp_tile_height ();
  BlurRect whole = get_extent (tiles);

  if (is_empty (extent))
    {
      *row = rect->y / height;
      *column = rect->x / width;
    }
  else if (++*column * width >= rect->x + rect->width)
    {
      *column = rect->x / width;
      ++*row;
    }
  *extent = (BlurRect) { *column * width, *row * height, width, height };
  *extent = intersect (extent, &whole);
  return *row * height < rect->y + rect->height;
}

/* Copies rows of size bytes each. */
static void
copy (guint8 *to, gsize to_stride, const guint8 *from, gsize from_stride, gsize size, int rows)
{
  int row;

  for (row = 0; row < rows; row++)
    memcpy (to + row * to_stride, from + row * from_stride, size);
}

/* The bytes of part, a part of a tile's extent. */
static guint8 *
get_place (const GimpTile *tile, const BlurRect *extent, const BlurRect *part)
{
  return tile->data +
         ((gsize) (part->y - extent->y) * tile->ewidth + (part->x - extent->x)) * tile->bpp;
}

static void
clear (guint8 *pixels, gsize stride, gsize size, int rows)
{
  int row;

  for (row = 0; row < rows; row++)
    memset (pixels + row * stride, 0, size);
}

void
tiles_read (Tiles *tiles, const BlurRect *rect, gpointer pixels, gsize stride)
{
  gsize pixel = tiles->drawable->bpp;
  BlurRect whole = get_extent (tiles);
  BlurRect there = intersect (rect, &whole);
  BlurRect extent = { 0 };
  int row, column;

  if (there.width < rect->width || there.height < rect->height)
    clear (pixels, stride, rect->width * pixel, rect->height);
  if (is_empty (&there))
    return;
  while (step (tiles, &there, &row, &column, &extent))
    {
      BlurRect part = intersect (&extent, &there);
      GimpTile *tile = gimp_drawable_get_tile (tiles->drawable, FALSE, row, column);

      gimp_tile_ref (tile);
      copy ((guint8 *) pixels + (part.y - rect->y) * stride + (part.x - rect->x) * pixel, stride,
            get_place (tile, &extent, &part), tile->ewidth * pixel, part.width * pixel, part.height);
      gimp_tile_unref (tile, FALSE);
    }
}

void
tiles_write (Tiles *tiles, const BlurRect *rect, const BlurRect *wanted, gconstpointer pixels,
             gsize stride)
{
  gsize pixel = tiles->drawable->bpp;
  BlurRect extent = { 0 };
  int row, column;

  while (step (tiles, rect, &row, &column, &extent))
    {
      BlurRect part = intersect (&extent, rect), all = intersect (&extent, wanted);
      GimpTile *tile = gimp_drawable_get_tile (tiles->drawable, TRUE, row, column);

      if (part.width == all.width && part.height == all.height)
        gimp_tile_ref_zero (tile); /* GIMP need not send what it holds */
      else
        gimp_tile_ref (tile);
      copy (get_place (tile, &extent, &part), tile->ewidth * pixel,
            (const guint8 *) pixels + (part.y - rect->y) * stride + (part.x - rect->x) * pixel,
            stride, part.width * pixel, part.height);
      gimp_tile_unref (tile, TRUE);
    }
}

void
tiles_put (Tiles *tiles, const BlurRect *rect, gconstpointer pixels, gsize stride)
{
  gsize pixel = tiles->drawable->bpp;
  BlurRect extent = { 0 };
  int row, column;

  if (is_empty (rect))
    return;
  while (step (tiles, rect, &row, &column, &extent))
    {
      BlurRect part = intersect (&extent, rect);
      GimpTile *tile = gimp_drawable_get_tile (tiles->drawable, FALSE, row, column);

      if (part.width == extent.width && part.height == extent.height)
        gimp_tile_ref_zero (tile);
      else
        gimp_tile_ref (tile);
      copy (get_place (tile, &extent, &part), tile->ewidth * pixel,
            (const guint8 *) pixels + (part.y - rect->y) * stride + (part.x - rect->x) * pixel,
            stride, part.width * pixel, part.height);
      tile->dirty = TRUE;
      gimp_tile_flush (tile); /* whatever the cache keeps */
      gimp_tile_unref (tile, FALSE);
    }
}
