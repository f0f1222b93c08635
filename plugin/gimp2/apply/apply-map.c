#include "apply-map.h"

#include "apply-target.h"
#include "error.h"
#include "rectangle.h"
#include "tiles.h"
#include "trace.h"

#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>

#define SLICE 8000 /* microseconds after which map_reader_read returns, plus one tile */

struct MapReader {
  ApplyTarget target; /* the map */
  gint32 drawable;    /* what it lies over */
  gboolean linear;
  Tiles *tiles;
  FxRect next;    /* the next tile, as large as all are but the last ones */
  guint8 *pixels; /* of a tile */
  float *part;    /* its values */
  float *values;  /* of the map */
  gint64 microseconds;
  int slices; /* calls so far */
};

static gboolean
check_item (gint32 map, GError **error)
{
  g_autofree char *name = NULL;

  if (! gimp_item_is_valid (map) || ! gimp_item_is_drawable (map))
    return fx_refuse (error, _ ("map is missing, but must be a layer, a layer mask or a channel"));
  if (! gimp_drawable_is_indexed (map))
    return TRUE;
  name = gimp_item_get_name (map);
  return fx_refuse (error, _ ("map is '%s', which is indexed, but must be RGB or grayscale"), name);
}

MapReader *
map_reader_new (gint32 map, gint32 drawable, gboolean linear, GError **error)
{
  const FxRect tile = { 0, 0, (int) gimp_tile_width (), (int) gimp_tile_height () };
  gsize pixels = (gsize) tile.width * tile.height;
  g_autoptr (MapReader) reader = g_new0 (MapReader, 1);
  ApplyTarget *target = &reader->target;

  if (! check_item (map, error) || ! apply_target_describe (target, map, error))
    return NULL;
  reader->values = g_try_new (float, (gsize) target->width *(gsize) target->height);
  if (! reader->values)
    {
      fx_set_no_memory (error);
      return NULL;
    }
  reader->drawable = drawable;
  reader->linear = linear;
  reader->tiles = tiles_open (target, FALSE);
  reader->next = tile;
  reader->pixels = g_malloc (pixels * fx_format_size (&target->format));
  reader->part = g_new (float, pixels);
  return g_steal_pointer (&reader);
}

void
map_reader_free (MapReader *reader)
{
  if (! reader)
    return;
  tiles_close (reader->tiles);
  g_free (reader->pixels);
  g_free (reader->part);
  g_free (reader->values);
  g_free (reader);
}

static void
read_tile (MapReader *reader)
{
  const ApplyTarget *target = &reader->target;
  const FxRect whole = { 0, 0, target->width, target->height };
  const FxRect tile = rect_intersect (&reader->next, &whole);
  gsize place = (gsize) tile.y * target->width + tile.x, row = tile.width * sizeof (float);

  tiles_read (reader->tiles, &tile, reader->pixels, tile.width * fx_format_size (&target->format));
  filter_map_convert (&target->format, reader->linear, reader->pixels, tile.width * tile.height,
                      reader->part);
  copy_rows (reader->values + place, target->width * sizeof (float), reader->part, row, row,
             tile.height);
  reader->next.x += reader->next.width;
  if (reader->next.x < target->width)
    return;
  reader->next.x = 0;
  reader->next.y += reader->next.height;
}

/* Returns the map, at its place over the drawable. */
static FilterMap *
finish (MapReader *reader)
{
  const ApplyTarget *target = &reader->target;
  int x = 0, y = 0, map_x, map_y;

  if (gimp_item_is_valid (reader->drawable)) /* what is wrong with it is said elsewhere */
    gimp_drawable_offsets (reader->drawable, &x, &y);
  gimp_drawable_offsets (target->drawable, &map_x, &map_y);
  fx_trace ("map", g_get_monotonic_time () - reader->microseconds,
            (gsize) target->width * target->height * sizeof (float), "%d slices", reader->slices);
  return filter_map_new (g_steal_pointer (&reader->values), map_x - x, map_y - y, target->width,
                         target->height);
}

gboolean
map_reader_read (MapReader *reader, FilterMap **map, GError **error)
{
  gint64 start = g_get_monotonic_time (), now;
  gboolean more;

  *map = NULL;
  if (! apply_target_check (&reader->target, error))
    return FALSE;
  do
    {
      read_tile (reader);
      more = reader->next.y < reader->target.height;
      now = g_get_monotonic_time ();
    }
  while (more && now < start + SLICE);
  reader->microseconds += now - start;
  reader->slices++;
  if (! more)
    *map = finish (reader);
  return more;
}

gboolean
apply_map_read (FilterSettings *settings, gint32 map, gint32 drawable, GError **error)
{
  gboolean linear = filter_settings_use_linear_map (settings);
  g_autoptr (MapReader) reader = map_reader_new (map, drawable, linear, error);
  g_autoptr (FilterMap) read = NULL;

  while (reader && map_reader_read (reader, &read, error))
    ;
  filter_settings_set_map (settings, read);
  return read != NULL;
}
