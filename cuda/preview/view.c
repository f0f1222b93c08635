#include "view.h"

#include "codec.h"
#include "mix.h"
#include "rows.h"

#include <math.h>
#include <string.h>

#define PIECE 512 /* pixels processed at a time */

/* A share of a pixel at the image's edge that is smaller than this is a rounding error. */
#define SHARE_MIN 1e-6

/* Frames. */

/* Returns the single pixel that contains the centre of pixel i of the scaled image. */
static FxCover
get_nearest (double i, double scale, double low, double high)
{
  double centre = (i + 0.5) / scale;

  if (centre < low || centre >= high)
    return (FxCover) { 0 };
  return (FxCover) { (int) floor (centre), 1, 1.0f };
}

static FxCover
get_cover (double i, double scale, double low, double high)
{
  double start = MAX (i / scale, low), end = MIN ((i + 1.0) / scale, high);
  double size = end - start, first = floor (start), last = ceil (end) - 1.0;

  if (size < SHARE_MIN / scale)
    return (FxCover) { 0 };
  if (last <= first)
    return (FxCover) { (int) first, 1, 1.0f };
  return (FxCover) {
    .first = (int) first,
    .count = (int) (last - first) + 1,
    .weight_first = (float) ((first + 1.0 - start) / size),
    .weight = (float) (1.0 / size),
    .weight_last = (float) ((end - last) / size),
  };
}

/* Fills covers for n pixels of the scaled image from first on. Sets covering to those of them that
 * cover anything, which are adjacent, and returns the span of image pixels that they cover. */
static FxSpan
init_covers (FxCover *covers, int first, int n, double scale, double low, double high,
             FxSpan *covering)
{
  FxSpan span = { 0, 0 };

  *covering = (FxSpan) { 0, 0 };

  for (int i = 0; i < n; i++)
    {
      covers[i] = (scale < 1.0 ? get_cover : get_nearest) ((double) first + i, scale, low, high);
      if (covers[i].count == 0)
        continue;
      if (span.count == 0)
        {
          span.first = covers[i].first;
          covering->first = i;
        }
      covering->count = i + 1 - covering->first;
      span.count = covers[i].first + covers[i].count - span.first;
    }
  return span;
}

void
fx_frame_init (FxFrame *frame, const FxStored *stored, const FxView *view, int level)
{
  const FxRect *rect = &view->rect;
  double scale = ldexp (view->scale, level);
  double grow_x = ldexp (view->grow_x, -level), grow_y = ldexp (view->grow_y, -level);
  FxSpan columns, rows;

  frame->width = rect->width;
  frame->height = rect->height;
  frame->columns = g_new (FxCover, rect->width);
  frame->rows = g_new (FxCover, rect->height);
  columns = init_covers (frame->columns, rect->x, rect->width, scale, -grow_x,
                         ldexp (stored->width, -level) + grow_x, &frame->covering_columns);
  rows = init_covers (frame->rows, rect->y, rect->height, scale, -grow_y,
                      ldexp (stored->height, -level) + grow_y, &frame->covering_rows);
  frame->region = (FxRect) { 0 };
  if (columns.count > 0 && rows.count > 0)
    frame->region = (FxRect) { columns.first, rows.first, columns.count, rows.count };
}

void
fx_frame_clear (FxFrame *frame)
{
  g_clear_pointer (&frame->columns, g_free);
  g_clear_pointer (&frame->rows, g_free);
}

/* Averages. */

struct FxReduction {
  FxCodec codec; /* from the image's format to linear light */
  FxTeam *team;
  const FxFrame *frame;
  const FxStored *before;
  float *sums[4]; /* one per channel: width * height, premultiplied, linear */
  int block;      /* columns of the view that a thread processes at a time */
  int blocks;     /* per row of the view */

  /* For the threads of the team: the pixels to add, or the view to write. */
  FxRect rect;
  const guint8 *pixels;
  gsize stride;
  guint8 *rgba;
};

FxReduction *
fx_reduction_new (const FxStored *before, const FxFrame *frame, FxTeam *team)
{
  FxReduction *reduction = g_new0 (FxReduction, 1);

  reduction->codec = fx_codec_new (&before->format, FX_LIGHT_LINEAR);
  reduction->team = team;
  reduction->frame = frame;
  reduction->before = before;
  for (int c = 0; c < before->format.channels; c++)
    if (! (reduction->sums[c] = g_try_malloc0_n ((gsize) frame->width * frame->height,
                                                 sizeof (float))))
      {
        fx_reduction_free (reduction);
        return NULL;
      }
  return reduction;
}

void
fx_reduction_free (FxReduction *reduction)
{
  for (int c = 0; reduction && c < 4; c++)
    g_free (reduction->sums[c]);
  g_free (reduction);
}

/* A piece of a row: n pixels starting at x, y. */
typedef struct {
  int x, y, n;
} Piece;

/* Mixes columns left to right - 1 of the piece, which lie within the image, and restores the locked
 * channels in all of the piece. */
static void
mix_within (const FxReduction *reduction, const Piece *piece, int left, int right, guint8 *pixels)
{
  const FxStored *before = reduction->before;
  const FxFormat *format = &before->format;
  gsize size = fx_format_size (format), place = (gsize) piece->y * before->width + left;
  const guint8 *from = (const guint8 *) before->pixels + place * size;
  guint8 *within = pixels + (left - piece->x) * size, *end = within + (right - left) * size;

  if (before->mask)
    fx_mix (format, before->coverage, from, within, before->mask + place, right - left);
  if (! before->locked)
    return;
  fx_restore_channels (format, before->locked, NULL, pixels, left - piece->x);
  fx_restore_channels (format, before->locked, from, within, right - left);
  fx_restore_channels (format, before->locked, NULL, end, piece->x + piece->n - right);
}

/* Returns the piece's pixels: stored in mixed if they need mixing or have locked channels,
 * otherwise the unchanged ones. */
static gconstpointer
mix (const FxReduction *reduction, const Piece *piece, gconstpointer pixels, guint8 *mixed)
{
  const FxStored *before = reduction->before;
  const FxFormat *format = &before->format;
  int left = MAX (piece->x, 0), right = MIN (piece->x + piece->n, before->width);
  gboolean within = piece->y >= 0 && piece->y < before->height && left < right;

  if (! before->locked && ! (before->mask && within))
    return pixels;
  memcpy (mixed, pixels, piece->n * fx_format_size (format));
  if (within)
    mix_within (reduction, piece, left, right, mixed);
  else
    fx_restore_channels (format, before->locked, NULL, mixed, piece->n);
  return mixed;
}

/* Adds the piece, multiplied by weight, to lines. */
static void
add_piece (const FxReduction *reduction, const Piece *piece, gconstpointer pixels, float weight,
           float (*lines)[PIECE])
{
  float block[4][PIECE];
  float *planes[] = { block[0], block[1], block[2], block[3] };
  guint8 mixed[PIECE * 4 * sizeof (double)];

  fx_codec_decode (&reduction->codec, mix (reduction, piece, pixels, mixed), piece->n, planes);
  for (int c = 0; c < reduction->codec.format.channels; c++)
    fx_row_accumulate (planes[c], weight, piece->n, lines[c]);
}

/* Returns the weighted sum of the part of a line that cover includes. The line starts at x. */
static float
sum_line (const FxCover *cover, const float *line, int x, int n)
{
  int end = MIN (cover->first + cover->count, x + n);
  float sum = 0.0f;

  for (int i = MAX (cover->first, x); i < end; i++)
    sum += fx_cover_get_weight (cover, i) * line[i - x];
  return sum;
}

/* Adds columns x to x + n - 1 of the pixels to columns first to end - 1 of a row of the view. */
static void
reduce_piece (FxReduction *reduction, int row, int first, int end, int x, int n)
{
  const FxFrame *frame = reduction->frame;
  const FxCover *cover = &frame->rows[row];
  const FxRect *rect = &reduction->rect;
  gsize offset = (x - rect->x) * fx_format_size (&reduction->codec.format);
  int top = MAX (cover->first, rect->y);
  int bottom = MIN (cover->first + cover->count, rect->y + rect->height);
  float lines[4][PIECE] = { { 0.0f } };

  for (int y = top; y < bottom; y++)
    add_piece (reduction, &(Piece) { x, y, n },
               reduction->pixels + (y - rect->y) * reduction->stride + offset,
               fx_cover_get_weight (cover, y), lines);
  for (int c = 0; c < reduction->codec.format.channels; c++)
    for (int column = first; column < end; column++)
      reduction->sums[c][(gsize) row * frame->width + column] += sum_line (&frame->columns[column],
                                                                           lines[c], x, n);
}

/* Adds the pixels to columns of a row of the view. */
static void
reduce_columns (FxReduction *reduction, int row, FxSpan columns)
{
  const FxCover *covers = reduction->frame->columns;
  const FxRect *rect = &reduction->rect;
  FxSpan covering = reduction->frame->covering_columns;
  int first = MAX (columns.first, covering.first);
  int end = MIN (columns.first + columns.count, covering.first + covering.count);
  int x, right;

  if (first >= end)
    return;
  x = MAX (covers[first].first, rect->x);
  right = MIN (covers[end - 1].first + covers[end - 1].count, rect->x + rect->width);
  for (; x < right; x += PIECE)
    reduce_piece (reduction, row, first, end, x, MIN (PIECE, right - x));
}

static gboolean
is_in_rows (const FxCover *cover, const FxRect *rect)
{
  return cover->count > 0 && cover->first < rect->y + rect->height &&
         cover->first + cover->count > rect->y;
}

/* Returns the number of view columns that cover about a piece's pixels. */
static int
get_block (const FxFrame *frame)
{
  return (int) CLAMP ((double) frame->width * PIECE / frame->region.width, 1, frame->width);
}

static void
add_blocks (gpointer data, int first, int end, int thread)
{
  FxReduction *reduction = data;
  const FxFrame *frame = reduction->frame;

  for (int i = first; i < end; i++)
    {
      int row = i / reduction->blocks, column = i % reduction->blocks * reduction->block;

      if (is_in_rows (&frame->rows[row], &reduction->rect))
        reduce_columns (reduction, row,
                        (FxSpan) { column, MIN (reduction->block, frame->width - column) });
    }
}

void
fx_reduction_add (FxReduction *reduction, const FxRect *rect, gconstpointer pixels, gsize stride)
{
  const FxFrame *frame = reduction->frame;

  reduction->rect = *rect;
  reduction->pixels = pixels;
  reduction->stride = stride;
  reduction->block = get_block (frame);
  reduction->blocks = (frame->width + reduction->block - 1) / reduction->block;
  fx_team_run (reduction->team, frame->height * reduction->blocks, 8, add_blocks, reduction);
}

/* The view. */

/* Converts n pixels of a row of the view, from column on, to four planes. */
static void
get_planes (const FxReduction *reduction, int row, int column, int n, float (*planes)[PIECE])
{
  const FxFrame *frame = reduction->frame;
  int channels = reduction->codec.format.channels;
  gsize place = (gsize) row * frame->width + column;

  for (int c = 0; c < 3; c++) /* grey fills all three */
    memcpy (planes[c], reduction->sums[channels > 2 ? c : 0] + place, n * sizeof (float));
  if (channels % 2 == 0)
    memcpy (planes[3], reduction->sums[channels - 1] + place, n * sizeof (float));
  else
    for (int i = 0; i < n; i++)
      planes[3][i] = frame->rows[row].count > 0 && frame->columns[column + i].count > 0;
}

static void
finish_rows (gpointer data, int first, int end, int thread)
{
  const FxReduction *reduction = data;
  const FxCodec codec = { { FX_SAMPLE_U8, 4, TRUE, reduction->codec.format.trc },
                          FX_CURVE_TO_LINEAR };
  int width = reduction->frame->width;
  float block[4][PIECE];
  float *planes[] = { block[0], block[1], block[2], block[3] };

  for (int row = first; row < end; row++)
    for (int x = 0; x < width; x += PIECE)
      {
        int n = MIN (PIECE, width - x);

        get_planes (reduction, row, x, n, block);
        fx_codec_encode (&codec, planes, n, reduction->rgba + ((gsize) row * width + x) * 4);
      }
}

void
fx_reduction_finish (FxReduction *reduction, guint8 *rgba)
{
  reduction->rgba = rgba;
  fx_team_run (reduction->team, reduction->frame->height, 8, finish_rows, reduction);
}
