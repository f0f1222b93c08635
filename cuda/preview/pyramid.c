#include "pyramid.h"

#include "codec.h"
#include "error.h"

#include <string.h>

#define PIECE 256 /* pixels of a level processed at a time */
#define ROWS  64  /* rows between two calls of progress */

typedef struct {
  int width, height;
  guint8 *pixels;
  gboolean *current; /* for each row, whether it is up to date */
} Level;

struct FxPyramid {
  FxCodec codec; /* into linear light */
  FxTeam *team;
  Level levels[FX_PYRAMID_LEVELS]; /* the first is the caller's; the others are NULL until needed */
};

FxPyramid *
fx_pyramid_new (const FxFormat *format, int width, int height, gconstpointer pixels, FxTeam *team)
{
  FxPyramid *pyramid = g_new0 (FxPyramid, 1);

  pyramid->codec = fx_codec_new (format, FX_LIGHT_LINEAR);
  pyramid->team = team;
  for (int i = 0; i < FX_PYRAMID_LEVELS; i++)
    {
      pyramid->levels[i] = (Level) { width, height };
      width -= width / 2;
      height -= height / 2;
    }
  pyramid->levels[0].pixels = (guint8 *) pixels;
  return pyramid;
}

void
fx_pyramid_free (FxPyramid *pyramid)
{
  for (int i = 1; pyramid && i < FX_PYRAMID_LEVELS; i++)
    {
      g_free (pyramid->levels[i].pixels);
      g_free (pyramid->levels[i].current);
    }
  g_free (pyramid);
}

void
fx_pyramid_get_size (const FxPyramid *pyramid, int level, int *width, int *height)
{
  *width = pyramid->levels[level].width;
  *height = pyramid->levels[level].height;
}

void
fx_pyramid_change (FxPyramid *pyramid, int y, int rows)
{
  int last = y + rows - 1;

  for (int i = 1; i < FX_PYRAMID_LEVELS; i++)
    {
      Level *level = &pyramid->levels[i];

      y /= 2;
      last /= 2;
      if (level->pixels)
        memset (level->current + y, 0, (last - y + 1) * sizeof *level->current);
    }
}

static gboolean
pyramid_allocate (FxPyramid *pyramid, Level *level, GError **error)
{
  gsize size = fx_format_size (&pyramid->codec.format) * level->width;

  if (level->pixels)
    return TRUE;
  level->current = g_try_new0 (gboolean, level->height);
  level->pixels = level->current ? g_try_malloc_n (level->height, size) : NULL;
  if (level->pixels)
    return TRUE;
  g_clear_pointer (&level->current, g_free);
  fx_set_no_memory (error);
  return FALSE;
}

/* Averages neighbouring columns in place, given the sum of n rows of width pixels. The last column
 * of an odd width has no neighbour. */
static void
halve (float *sum, int width, int n)
{
  float half = 0.5f / n;
  int i;

  for (i = 0; i < width / 2; i++)
    sum[i] = (sum[2 * i] + sum[2 * i + 1]) * half;
  if (width % 2)
    sum[i] = sum[2 * i] / n;
}

/* Computes pixels x to x + n - 1 of a row of to. */
static void
make_piece (const FxCodec *codec, const Level *from, Level *to, int row, int x, int n)
{
  gsize size = fx_format_size (&codec->format);
  int width = MIN (2 * n, from->width - 2 * x), rows = MIN (2, from->height - 2 * row);
  const guint8 *pixels = from->pixels + ((gsize) 2 * row * from->width + 2 * x) * size;
  float first[4][2 * PIECE], second[4][2 * PIECE];
  float *planes[] = { first[0], first[1], first[2], first[3] };
  float *below[] = { second[0], second[1], second[2], second[3] };

  fx_codec_decode (codec, pixels, width, planes);
  if (rows == 2)
    fx_codec_decode (codec, pixels + from->width * size, width, below);
  for (int c = 0; c < codec->format.channels; c++)
    {
      for (int i = 0; i < width && rows == 2; i++)
        first[c][i] += second[c][i];
      halve (first[c], width, rows);
    }
  fx_codec_encode (codec, planes, n, to->pixels + ((gsize) row * to->width + x) * size);
}

typedef struct {
  const FxCodec *codec;
  const Level *from;
  Level *to;
  int y;
} Step;

static void
make_rows (gpointer data, int first, int end, int thread)
{
  const Step *step = data;
  Level *to = step->to;

  for (int row = step->y + first; row < step->y + end; row++)
    {
      if (to->current[row])
        continue;
      for (int x = 0; x < to->width; x += PIECE)
        make_piece (step->codec, step->from, to, row, x, MIN (PIECE, to->width - x));
      to->current[row] = TRUE;
    }
}

/* Updates rows y to y + rows - 1 of a level, after the rows of finer levels on which they
 * depend. */
static gboolean
make_level (FxPyramid *pyramid, int i, int y, int rows, FxProgressFunc progress, gpointer data,
            GError **error)
{
  const Level *from = &pyramid->levels[i - 1];
  Level *to = &pyramid->levels[i];
  int end = y + rows, from_y = 2 * y, from_end = MIN (2 * end, from->height);

  if (! pyramid_allocate (pyramid, to, error))
    return FALSE;
  while (y < end && to->current[y])
    y++;
  if (y == end)
    return TRUE;
  if (i > 1 && ! make_level (pyramid, i - 1, from_y, from_end - from_y, progress, data, error))
    return FALSE;
  for (; y < end; y += rows)
    {
      rows = MIN (ROWS, end - y);
      if (! fx_progress_report (progress, data, 0.0, error))
        return FALSE;
      fx_team_run (pyramid->team, rows, 4, make_rows, &(Step) { &pyramid->codec, from, to, y });
    }
  return TRUE;
}

gconstpointer
fx_pyramid_get (FxPyramid *pyramid, int level, int y, int rows, FxProgressFunc progress,
                gpointer data, GError **error)
{
  if (level > 0 && rows > 0 && ! make_level (pyramid, level, y, rows, progress, data, error))
    return NULL;
  return pyramid->levels[level].pixels;
}
