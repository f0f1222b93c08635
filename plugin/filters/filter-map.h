/* The brightness of a second picture, for a filter that takes one, such as a map of depths. It
 * never changes, so that those who have it share it, on any thread. */
#pragma once

#include "format.h"

typedef struct {
  GBytes *values; /* floats, row by row: 0 is black, 1 white; NaN and what lies beyond are legal */
  int width, height; /* at least 1 */
  int x, y;          /* the place of the first value, in the plane of FxGeometry */
  gint references;   /* atomic */
} FilterMap;

/* Creates a map, which takes values over, as many floats as the size says; free it with
 * filter_map_free. */
FilterMap *filter_map_new (float *values, int x, int y, int width, int height);

/* Sets values to the brightness of n pixels, or to their light if linear is set. Alpha does not
 * count. Colours weigh as sRGB's. */
void filter_map_convert (const FxFormat *format, gboolean linear, gconstpointer pixels, int n,
                         float *values);

/* Adds a reference and returns map; filter_map_free drops one. NULL is legal. */
FilterMap *filter_map_ref (FilterMap *map);
void filter_map_free (FilterMap *map);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FilterMap, filter_map_free)
