#include "apply-map.h"

#include "apply-target.h"
#include "error.h"
#include "tiles.h"

#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>

#define BAND_ROWS 64 /* a row of tiles */

static gboolean
read_values (const ApplyTarget *target, gboolean linear, float *values, GError **error)
{
  g_autoptr (Tiles) tiles = tiles_open (target, FALSE);
  gsize row = (gsize) target->width * fx_format_size (&target->format);
  g_autofree char *band = g_try_malloc (row * BAND_ROWS);

  if (! band)
    return fx_set_no_memory (error);
  for (int y = 0; y < target->height; y += BAND_ROWS)
    {
      const FxRect rect = { 0, y, target->width, MIN (BAND_ROWS, target->height - y) };

      if (! apply_target_check (target, error))
        return FALSE;
      tiles_read (tiles, &rect, band, row);
      filter_map_convert (&target->format, linear, band, rect.width * rect.height,
                          values + (gsize) y * (gsize) target->width);
    }
  return TRUE;
}

/* Returns the map, at its place over drawable, or NULL with error. */
static FilterMap *
read_map (const ApplyTarget *target, gint32 drawable, gboolean linear, GError **error)
{
  g_autofree float *values = g_try_new (float, (gsize) target->width *(gsize) target->height);
  int x = 0, y = 0, map_x, map_y;

  if (! values)
    fx_set_no_memory (error);
  if (! values || ! read_values (target, linear, values, error))
    return NULL;
  if (gimp_item_is_valid (drawable)) /* what is wrong with it is said elsewhere */
    gimp_drawable_offsets (drawable, &x, &y);
  gimp_drawable_offsets (target->drawable, &map_x, &map_y);
  return filter_map_new (g_steal_pointer (&values), map_x - x, map_y - y, target->width,
                         target->height);
}

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

gboolean
apply_map_read (FilterSettings *settings, gint32 map, gint32 drawable, GError **error)
{
  gboolean linear = filter_settings_use_linear_map (settings);
  g_autoptr (FilterMap) read = NULL;
  ApplyTarget target;

  if (! filter_settings_get_filter (settings)->map.label)
    return TRUE;
  if (! check_item (map, error) || ! apply_target_describe (&target, map, error))
    return FALSE;
  read = read_map (&target, drawable, linear, error);
  filter_settings_set_map (settings, read);
  return read != NULL;
}
