/* This file is compiled once for each kind of vector unit, as cuda/meson.build says. */
#include "cpu-small.h"

#include "vector.h"

#define BYTES (LANES * 4)

typedef guint8 Vector __attribute__ ((vector_size (BYTES), aligned (1), may_alias));

/* Returns how many pixels of the windows are below threshold, for the pixels from place on. */
static FX_INLINE Vector
count_below (const MedianSlide *slide, const guint8 *place, Vector threshold)
{
  const MedianWindow *window = slide->window;
  Vector below = { 0 };

  for (int j = -window->radius; j <= window->radius; j++)
    {
      int chord = window->chords[ABS (j)];
      const guint8 *row = place + (gssize) j * slide->pitch;

      for (int i = -chord; i <= chord; i++)
        below -= (Vector) (*(const Vector *) (row + i) < threshold); /* true is -1 */
    }
  return below;
}

/* Returns the greatest values that have fewer than rank samples below them. */
static FX_INLINE Vector
find (const MedianSlide *slide, const guint8 *place)
{
  Vector found = { 0 };

  for (guint8 bit = 128; bit > 0; bit >>= 1)
    {
      Vector more = found | bit;
      Vector counts = count_below (slide, place, more);

      found |= (Vector) (counts < (guint8) slide->rank) & bit;
    }
  return found;
}

void
FOR_UNIT (median_small) (const MedianSlide *slide)
{
  int radius = slide->window->radius;
  guint32 *found = slide->found;

  for (int y = 0; y < slide->rows; y++, found += slide->columns)
    {
      const guint8 *row = (const guint8 *) slide->codes + (gssize) (radius + y) * slide->pitch;

      for (int x = 0; x < slide->columns; x += BYTES)
        {
          Vector values = find (slide, row + radius + x);

          for (int i = 0; i < MIN (BYTES, slide->columns - x); i++)
            found[x + i] = median_swap (values[i]);
        }
    }
}
