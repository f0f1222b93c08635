#include "cpu-window.h"

#include "vector.h"

enum { RIGHT, DOWN, LEFT };

/* A histogram at a place, in registers. */
typedef struct {
  const MedianSlide *slide;
  guint32 *counters[MEDIAN_LEVELS_MAX];
  guint32 total; /* of the weights in the window */
} Histogram;

/* Returns what is at place: a code and, if it weighs, its weight. */
static FX_INLINE guint64
get_entry (const MedianSlide *slide, int levels, gboolean weighs, gssize place)
{
  switch (levels + weighs)
    {
    case 1:
      return ((const guint8 *) slide->codes)[place];
    case 2:
      return ((const guint16 *) slide->codes)[place];
    case 3:
      return ((const guint32 *) slide->codes)[place];
    default:
      return ((const guint64 *) slide->codes)[place];
    }
}

static FX_INLINE guint32
get_weight (int levels, gboolean weighs, guint64 entry)
{
  return weighs ? (guint32) (entry >> (4 << levels)) : 1;
}

static FX_INLINE void
count (Histogram *histogram, int levels, guint64 entry, guint32 weight)
{
  guint32 code = levels == 1 ? (guint8) entry : levels == 2 ? (guint16) entry : (guint32) entry;

#pragma GCC unroll 3
  for (int level = 0; level < levels; level++)
    histogram->counters[level][code >> 8 * level] += weight;
}

/* Fills the window around place. */
static FX_INLINE void
fill (Histogram *histogram, int levels, gboolean weighs, gssize place)
{
  const MedianSlide *slide = histogram->slide;
  const MedianWindow *window = slide->window;

  for (int j = -window->radius; j <= window->radius; j++)
    for (int i = -window->chords[ABS (j)]; i <= window->chords[ABS (j)]; i++)
      {
        guint64 entry = get_entry (slide, levels, weighs, place + (gssize) j * slide->pitch + i);
        guint32 weight = get_weight (levels, weighs, entry);

        count (histogram, levels, entry, weight);
        histogram->total += weight;
      }
}

/* Moves the window away from place. Where what enters is what leaves, nothing is counted: in flat
 * parts, each count would wait for the one before. */
static FX_INLINE void
move (Histogram *histogram, int levels, gboolean weighs, gssize place, int way)
{
  const MedianSlide *slide = histogram->slide;
  const int *enters = slide->enters[way], *leaves = slide->leaves[way];
  int side = 2 * slide->window->radius + 1;

  for (int k = 0; k < side; k++)
    {
      guint64 new = get_entry (slide, levels, weighs, place + enters[k]);
      guint64 old = get_entry (slide, levels, weighs, place + leaves[k]);
      guint32 new_weight = get_weight (levels, weighs, new);
      guint32 old_weight = get_weight (levels, weighs, old);

      if (new == old)
        continue;
      count (histogram, levels, new, new_weight);
      count (histogram, levels, old, -old_weight);
      histogram->total += new_weight - old_weight;
    }
}

/* Returns how many of the first n - 1 sums of n counts, stride counters apart, are below rank, from
 * which the last one of these is taken. */
static FX_INLINE unsigned
find_count (const guint32 *counts, int n, int stride, guint32 *rank)
{
  guint32 sum = 0, below = 0;
  unsigned found = 0;

#pragma GCC unroll 15
  for (int i = 0; i < n - 1; i++)
    {
      sum += counts[i * stride];
      found += sum < *rank;
      below = sum < *rank ? sum : below;
    }
  *rank -= below;
  return found;
}

/* Returns the byte, changed by median_swap, of the 256 counters up to which they have rank: one
 * pair of bits after the other. */
static FX_INLINE unsigned
find_byte (const guint32 *counters, guint32 *rank)
{
  guint32 threes[4][16], pairs[16], quarters[4];
  unsigned byte;

  for (int n = 0; n < 4; n++)
    for (int i = 0; i < 16; i++)
      threes[n][i] = counters[16 * n + i] + counters[16 * n + i + 64] + counters[16 * n + i + 128] +
                     counters[16 * n + i + 192];
  for (int i = 0; i < 16; i++)
    pairs[i] = threes[0][i] + threes[1][i] + threes[2][i] + threes[3][i];
  for (int i = 0; i < 4; i++)
    quarters[i] = pairs[i] + pairs[i + 4] + pairs[i + 8] + pairs[i + 12];
  byte = find_count (quarters, 4, 1, rank);
  byte += find_count (pairs + byte, 4, 4, rank) << 2;
  byte += find_count (threes[0] + byte, 4, 16, rank) << 4;
  return byte + (find_count (counters + byte, 4, 64, rank) << 6);
}

static FX_INLINE guint32
find (const Histogram *histogram, int levels, gboolean weighs)
{
  const MedianSlide *slide = histogram->slide;
  guint32 rank = slide->rank, code = 0;

  if (weighs && histogram->total == 0)
    return MEDIAN_FOUND_NOTHING;
  if (weighs)
    rank = median_get_rank (slide->percentile, histogram->total);
  if (levels == 3)
    code = find_count (histogram->counters[2], 1 << MEDIAN_TOP_BITS, 1, &rank);
  if (levels >= 2)
    code = code << 8 | find_byte (histogram->counters[1] + (code << 8), &rank);
  return code << 8 | find_byte (histogram->counters[0] + (code << 8), &rank);
}

/* Goes through a row to the right, through the next one to the left, and so on. */
static FX_INLINE void
slide_windows (const MedianSlide *slide, int levels, gboolean weighs)
{
  int radius = slide->window->radius;
  gssize place = (gssize) radius * slide->pitch + radius;
  guint32 *found = slide->found;
  Histogram histogram = { .slide = slide };

  for (int level = 0; level < levels; level++)
    histogram.counters[level] = slide->counters[level];
  fill (&histogram, levels, weighs, place);
  for (int y = 0; y < slide->rows; y++)
    {
      int step = y % 2 == 0 ? 1 : -1, way = y % 2 == 0 ? RIGHT : LEFT;

      for (int x = 1; x < slide->columns; x++)
        {
          *found = find (&histogram, levels, weighs);
          move (&histogram, levels, weighs, place, way);
          place += step;
          found += step;
        }
      *found = find (&histogram, levels, weighs);
      found += slide->columns;
      if (y == slide->rows - 1)
        break;
      move (&histogram, levels, weighs, place, DOWN);
      place += slide->pitch;
    }
}

/* Each combination is compiled by itself. */
FX_VECTORISED void
median_slide_run (const MedianSlide *slide)
{
  gboolean weighs = slide->weighs;

  if (slide->levels == 1 && weighs)
    slide_windows (slide, 1, TRUE);
  else if (slide->levels == 1)
    slide_windows (slide, 1, FALSE);
  else if (slide->levels == 2 && weighs)
    slide_windows (slide, 2, TRUE);
  else if (slide->levels == 2)
    slide_windows (slide, 2, FALSE);
  else if (weighs)
    slide_windows (slide, 3, TRUE);
  else
    slide_windows (slide, 3, FALSE);
}
