#include "filter-map.h"

FilterMap *
filter_map_new (float *values, int x, int y, int width, int height)
{
  FilterMap *map = g_new (FilterMap, 1);
  gsize size = (gsize) width * (gsize) height * sizeof *values;

  *map = (FilterMap) { g_bytes_new_take (values, size), width, height, x, y, 1 };
  return map;
}

FilterMap *
filter_map_ref (FilterMap *map)
{
  if (map)
    g_atomic_int_inc (&map->references);
  return map;
}

void
filter_map_free (FilterMap *map)
{
  if (! map || ! g_atomic_int_dec_and_test (&map->references))
    return;
  g_bytes_unref (map->values);
  g_free (map);
}
