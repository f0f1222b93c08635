#include "view.h"
#include "backend.h"
#include "line.h"
#include "codec.h"

#include <math.h>
#include <string.h>

#define PIECE 512 /* pixels at a time */

/* A smaller share of a pixel at the image's edge comes of rounding. */
#define SHARE_MIN 1e-6

/* Frames. */

/* The one pixel that the centre of pixel i of the scaled image lies in. */
static BlurCover
get_nearest (double i, double scale, double low, double high)
{
  double centre = (i + 0.5) / scale;

  if (centre < low || centre >= high)
    return (BlurCover) { 0 };
  return (BlurCover) { (int) floor (centre), 1, 1.0f };
}

static BlurCover
get_cover (double i, double scale, double low, double high)
{
  double start = MAX (i / scale, low), end = MIN ((i + 1.0) / scale, high);
  double size = end - start, first = floor (start), last = ceil (end) - 1.0;

  if (size < SHARE_MIN / scale)
    return (BlurCover) { 0 };
  if (last <= first)
    return (BlurCover) { (int) first, 1, 1.0f };
  return (BlurCover) {
    .first = (int) first,
    .count = (int) (last - first) + 1,
    .weight_first = (float) ((first + 1.0 - start) / size),
    .weight = (float) (1.0 / size),
    .weight_last = (float) ((end - last) / size),
  };
}

/* Fills covers for n pixels of the scaled image from first on. Returns the pixels that they have. */
static BlurSpan
init_covers (BlurCover *covers, int first, int n, double scale, double low, double high)
{
  BlurSpan span = { 0, 0 };
  int i;

  for (i = 0; i < n; i++)
    {
      covers[i] = (scale < 1.0 ? get_cover : get_nearest) ((double) first + i, scale, low, high);
      if (covers[i].count == 0)
        continue;
      if (span.count == 0)
        span.first = covers[i].first;
      span.count = covers[i].first + covers[i].count - span.first;
    }
  return span;
}

void
blur_frame_init (BlurFrame *frame, double scale, const BlurRect *rect, double left, double top,
                 double right, double bottom)
{
  BlurSpan columns, rows;

  frame->width = rect->width;
  frame->height = rect->height;
  frame->columns = g_new (BlurCover, rect->width);
  frame->rows = g_new (BlurCover, rect->height);
  columns = init_covers (frame->columns, rect->x, rect->width, scale, left, right);
  rows = init_covers (frame->rows, rect->y, rect->height, scale, top, bottom);
  frame->region = (BlurRect) { 0 };
  if (columns.count > 0 && rows.count > 0)
    frame->region = (BlurRect) { columns.first, rows.first, columns.count, rows.count };
}

void
blur_frame_clear (BlurFrame *frame)
{
  g_clear_pointer (&frame->columns, g_free);
  g_clear_pointer (&frame->rows, g_free);
}

/* Averages. */

struct BlurReduction {
  BlurPlan plan; /* its format and curve alone: as the image is shown */
  gboolean coverage;
  const BlurFrame *frame;
  const BlurBefore *before;
  float *sums[4]; /* one a channel: width * height, premultiplied, linear */
};

BlurReduction *
blur_reduction_new (const BlurFormat *format, gboolean coverage, const BlurFrame *frame,
                    const BlurBefore *before)
{
  BlurReduction *reduction = g_new0 (BlurReduction, 1);
  int c;

  reduction->plan.format = *format;
  reduction->plan.curve = format->gamma ? BLUR_CURVE_TO_LINEAR : BLUR_CURVE_NONE;
  reduction->coverage = coverage;
  reduction->frame = frame;
  reduction->before = before;
  for (c = 0; c < format->channels; c++)
    if (! (reduction->sums[c] = g_try_malloc0_n ((gsize) frame->width * frame->height,
                                                 sizeof (float))))
      {
        blur_reduction_free (reduction);
        return NULL;
      }
  return reduction;
}

void
blur_reduction_free (BlurReduction *reduction)
{
  int c;

  for (c = 0; reduction && c < 4; c++)
    g_free (reduction->sums[c]);
  g_free (reduction);
}

/* A piece of a row: n pixels from x, y on. */
typedef struct {
  int x, y, n;
} Piece;

/* Mixes columns left to right - 1 of the piece, which lie within the image, and gives all of it back
 * what is kept. */
static void
mix_within (const BlurReduction *reduction, const Piece *piece, int left, int right, guint8 *pixels)
{
  const BlurBefore *before = reduction->before;
  const BlurFormat *format = &reduction->plan.format;
  gsize size = blur_format_size (format), place = (gsize) piece->y * before->width + left;
  const guint8 *from = (const guint8 *) before->pixels + place * size;
  guint8 *within = pixels + (left - piece->x) * size, *end = within + (right - left) * size;

  if (before->mask)
    blur_mix (format, reduction->coverage, from, within, before->mask + place, right - left);
  if (! before->kept)
    return;
  blur_keep (format, before->kept, NULL, pixels, left - piece->x);
  blur_keep (format, before->kept, from, within, right - left);
  blur_keep (format, before->kept, NULL, end, piece->x + piece->n - right);
}

/* The piece's pixels, mixed where they are to be, into mixed or as they are. */
static gconstpointer
mix (const BlurReduction *reduction, const Piece *piece, gconstpointer pixels, guint8 *mixed)
{
  const BlurBefore *before = reduction->before;
  const BlurFormat *format = &reduction->plan.format;
  int left = MAX (piece->x, 0), right = MIN (piece->x + piece->n, before->width);
  gboolean within = piece->y >= 0 && piece->y < before->height && left < right;

  if (! before->kept && ! (before->mask && within))
    return pixels;
  memcpy (mixed, pixels, piece->n * blur_format_size (format));
  if (within)
    mix_within (reduction, piece, left, right, mixed);
  else
    blur_keep (format, before->kept, NULL, mixed, piece->n);
  return mixed;
}

/* Adds the piece, times weight, to lines. */
static void
add_piece (const BlurReduction *reduction, const Piece *piece, gconstpointer pixels, float weight,
           float (*lines)[PIECE])
{
  float block[4][PIECE];
  float *planes[] = { block[0], block[1], block[2], block[3] };
  guint8 mixed[PIECE * 4 * sizeof (double)];
  int c;

  blur_sample_decode (&reduction->plan, mix (reduction, piece, pixels, mixed), piece->n, planes);
  for (c = 0; c < reduction->plan.format.channels; c++)
    blur_row_accumulate (planes[c], weight, piece->n, lines[c]);
}

/* The sum of what cover has of a line that starts at x. */
static float
sum_line (const BlurCover *cover, const float *line, int x, int n)
{
  int end = MIN (cover->first + cover->count, x + n);
  float sum = 0.0f;
  int i;

  for (i = MAX (cover->first, x); i < end; i++)
    sum += blur_cover_get_weight (cover, i) * line[i - x];
  return sum;
}

/* The pixels that have come in. */
typedef struct {
  BlurRect rect;
  const guint8 *pixels;
  gsize stride;
} Band;

/* Columns x to x + n - 1 of the band, for columns first to end - 1 of a row of the view. */
static void
reduce_piece (BlurReduction *reduction, const Band *band, int row, int first, int end, int x, int n)
{
  const BlurFrame *frame = reduction->frame;
  const BlurCover *cover = &frame->rows[row];
  gsize offset = (x - band->rect.x) * blur_format_size (&reduction->plan.format);
  int top = MAX (cover->first, band->rect.y);
  int bottom = MIN (cover->first + cover->count, band->rect.y + band->rect.height);
  float lines[4][PIECE] = { { 0.0f } };
  int y, column, c;

  for (y = top; y < bottom; y++)
    add_piece (reduction, &(Piece) { x, y, n },
               band->pixels + (y - band->rect.y) * band->stride + offset,
               blur_cover_get_weight (cover, y), lines);
  for (c = 0; c < reduction->plan.format.channels; c++)
    for (column = first; column < end; column++)
      reduction->sums[c][(gsize) row * frame->width + column] +=
        sum_line (&frame->columns[column], lines[c], x, n);
}

/* Columns first to end - 1 of a row of the view. */
static void
reduce_columns (BlurReduction *reduction, const Band *band, int row, BlurSpan columns)
{
  const BlurCover *covers = reduction->frame->columns;
  int first = columns.first, end = columns.first + columns.count;
  int x, right;

  while (first < end && covers[first].count == 0)
    first++;
  while (first < end && covers[end - 1].count == 0)
    end--;
  if (first == end)
    return;
  x = MAX (covers[first].first, band->rect.x);
  right = MIN (covers[end - 1].first + covers[end - 1].count, band->rect.x + band->rect.width);
  for (; x < right; x += PIECE)
    reduce_piece (reduction, band, row, first, end, x, MIN (PIECE, right - x));
}

static gboolean
is_in_band (const BlurCover *cover, const BlurRect *rect)
{
  return cover->count > 0 && cover->first < rect->y + rect->height &&
         cover->first + cover->count > rect->y;
}

/* How many columns of the view have about a piece's pixels. */
static int
get_block (const BlurFrame *frame)
{
  return (int) CLAMP ((double) frame->width * PIECE / frame->region.width, 1, frame->width);
}

void
blur_reduction_add (BlurReduction *reduction, const BlurRect *rect, gconstpointer pixels,
                    gsize stride)
{
  const BlurFrame *frame = reduction->frame;
  const Band band = { *rect, pixels, stride };
  int block = get_block (frame);
  int row, column;

#pragma omp parallel for collapse (2) schedule (dynamic, 8) num_threads (blur_cpu_get_threads ())
  for (row = 0; row < frame->height; row++)
    for (column = 0; column < frame->width; column += block)
      if (is_in_band (&frame->rows[row], rect))
        reduce_columns (reduction, &band, row,
                        (BlurSpan) { column, MIN (block, frame->width - column) });
}

/* The view. */

/* n pixels of a row of the view from column on, as four planes. */
static void
get_planes (const BlurReduction *reduction, int row, int column, int n, float (*planes)[PIECE])
{
  const BlurFrame *frame = reduction->frame;
  int channels = reduction->plan.format.channels, c, i;
  gsize place = (gsize) row * frame->width + column;

  for (c = 0; c < 3; c++) /* grey is all three */
    memcpy (planes[c], reduction->sums[channels > 2 ? c : 0] + place, n * sizeof (float));
  if (channels % 2 == 0)
    memcpy (planes[3], reduction->sums[channels - 1] + place, n * sizeof (float));
  else
    for (i = 0; i < n; i++)
      planes[3][i] = frame->rows[row].count > 0 && frame->columns[column + i].count > 0;
}

void
blur_reduction_finish (BlurReduction *reduction, guint8 *rgba)
{
  static const BlurPlan plan = { .format = { BLUR_SAMPLE_U8, 4, TRUE }, .curve = BLUR_CURVE_TO_LINEAR };
  const BlurFrame *frame = reduction->frame;
  int row;

#pragma omp parallel for num_threads (blur_cpu_get_threads ())
  for (row = 0; row < frame->height; row++)
    {
      float block[4][PIECE];
      float *planes[] = { block[0], block[1], block[2], block[3] };
      int x;

      for (x = 0; x < frame->width; x += PIECE)
        {
          int n = MIN (PIECE, frame->width - x);

          get_planes (reduction, row, x, n, block);
          blur_sample_encode (&plan, planes, n, rgba + ((gsize) row * frame->width + x) * 4);
        }
    }
}
