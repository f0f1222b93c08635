/* The tiles of a drawable whose format changes in GIMP after a caller has asked for it. The
 * functions below stand in for libgimp. */
#define GIMP_DISABLE_DEPRECATION_WARNINGS

#include "tiles.h"

#include "test.h"

#include <libgimp/gimp.h>

#define SIDE 16 /* pixels of a tile */

static guint8 bytes[SIDE * SIDE];
static GimpTile tile = { .ewidth = SIDE, .eheight = SIDE, .data = bytes };

/* For the drawable as it is now. */
GimpDrawable *
gimp_drawable_get (gint32 id)
{
  GimpDrawable *drawable = g_slice_new0 (GimpDrawable);

  *drawable = (GimpDrawable) { id, SIDE, SIDE, 16, 1, 1, NULL, NULL };
  return drawable;
}

GimpTile *
gimp_drawable_get_tile (GimpDrawable *drawable, gboolean shadow, gint row, gint column)
{
  g_assert_cmpint (row, ==, 0);
  g_assert_cmpint (column, ==, 0);
  tile.bpp = (guint16) drawable->bpp;
  return &tile;
}

void
gimp_drawable_detach (GimpDrawable *drawable)
{
  g_slice_free (GimpDrawable, drawable);
}

void
gimp_tile_ref (GimpTile *which)
{
}

void
gimp_tile_unref (GimpTile *which, gboolean dirty)
{
}

void
gimp_tile_cache_ntiles (gulong tiles)
{
}

guint
gimp_tile_width (void)
{
  return SIDE;
}

guint
gimp_tile_height (void)
{
  return SIDE;
}

gboolean
gimp_plugin_enable_precision (void)
{
  return TRUE;
}

/* The buffer of the caller is for the format that it knows. */
TEST (test_format, "/tiles/format")
{
  const ApplyTarget target = {
    .drawable = 3, .format = { FX_SAMPLE_U8, 1, TRUE }, .width = SIDE, .height = SIDE
  };
  g_autoptr (Tiles) tiles = tiles_open (&target, FALSE);
  g_autofree guint8 *got = g_malloc (SIDE * SIDE);

  for (int i = 0; i < SIDE * SIDE; i++)
    bytes[i] = (guint8) i;
  tiles_read (tiles, &(FxRect) { 0, 0, SIDE, SIDE }, got, SIDE);
  g_assert_cmpmem (got, SIDE * SIDE, bytes, SIDE * SIDE);
}
