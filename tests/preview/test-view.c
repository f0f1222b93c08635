/* Views by themselves: what each of their pixels has of the image, and the averages of it. */
#include "view.h"
#include "reference.h"
#include "test.h"
#include "trcs.h"

static const FxFormat rgba_float = { FX_SAMPLE_FLOAT, 4, FALSE };

static FxTeam *team; /* for all tests */

/* The weights of n pixels of the view, from first on, must be the shares that they have of the
 * image's pixels from low to high. */
static void
check_covers (const FxCover *covers, int first, int n, double scale, double low, double high)
{
  for (int i = 0; i < n; i++)
    {
      const double start = MAX ((first + i) / scale, low);
      const double end = MIN ((first + i + 1.0) / scale, high);
      const FxCover *cover = &covers[i];
      double sum = 0.0;

      if (cover->count == 0)
        {
          g_assert_cmpfloat (end - start, <, 1e-5 / scale);
          continue;
        }
      g_assert_cmpfloat (cover->first, ==, floor (start));
      g_assert_cmpfloat (cover->first + cover->count, ==, ceil (end));
      for (int x = cover->first; x < cover->first + cover->count; x++)
        {
          const double share = (MIN (end, x + 1.0) - MAX (start, x)) / (end - start);

          g_assert_cmpfloat_with_epsilon (fx_cover_get_weight (cover, x), share, 1e-6);
          sum += fx_cover_get_weight (cover, x);
        }
      g_assert_cmpfloat_with_epsilon (sum, 1.0, 1e-5);
    }
}

/* The image's ends are whole, halves and quarters. */
TEST (test_covers, "/view/covers")
{
  for (int n = 0; n < 3000; n++)
    {
      const double scale = ldexp (g_test_rand_int_range (3, 6) / 8.0, -(n % 10));
      const double step = 1.0 / (1 << n / 10 % 3);
      const double left = -step * g_test_rand_int_range (0, 30), top = -3.0 * step;
      const double right = step * g_test_rand_int_range (1, 4000), bottom = 2000.0;
      const FxRect rect = { g_test_rand_int_range (-60, 60), g_test_rand_int_range (-60, 60),
                            g_test_rand_int_range (1, 90), g_test_rand_int_range (1, 90) };
      g_auto (FxFrame) frame = { 0 };

      fx_frame_init (&frame, scale, &rect, left, top, right, bottom);
      g_assert_cmpint (frame.width, ==, rect.width);
      g_assert_cmpint (frame.height, ==, rect.height);
      check_covers (frame.columns, rect.x, rect.width, scale, left, right);
      check_covers (frame.rows, rect.y, rect.height, scale, top, bottom);
    }
}

/* The region is all that the covers have, and no more. */
TEST (test_region, "/view/region")
{
  for (int n = 0; n < 1000; n++)
    {
      const double scale = exp (g_test_rand_double_range (-5.0, 2.0));
      const FxRect rect = { g_test_rand_int_range (-90, 90), g_test_rand_int_range (-90, 90),
                            g_test_rand_int_range (1, 90), g_test_rand_int_range (1, 90) };
      int left = G_MAXINT, right = G_MININT, rows = 0;
      g_auto (FxFrame) frame = { 0 };

      fx_frame_init (&frame, scale, &rect, -5.0, -7.5, 300.0, 200.0);
      for (int i = 0; i < rect.width; i++)
        if (frame.columns[i].count > 0)
          {
            left = MIN (left, frame.columns[i].first);
            right = MAX (right, frame.columns[i].first + frame.columns[i].count);
          }
      for (int i = 0; i < rect.height; i++)
        rows += frame.rows[i].count > 0;
      if (left > right || rows == 0)
        {
          g_assert_cmpint (frame.region.width, ==, 0);
          continue;
        }
      g_assert_cmpint (frame.region.x, ==, left);
      g_assert_cmpint (frame.region.x + frame.region.width, ==, right);
      g_assert_cmpint (frame.region.x, >=, -5);
      g_assert_cmpint (frame.region.x + frame.region.width, <=, 300);
      g_assert_cmpint (frame.region.y, >=, -8);
      g_assert_cmpint (frame.region.y + frame.region.height, <=, 200);
    }
}

/* From a scale of 1 on: the one pixel that a pixel's centre lies in. */
TEST (test_nearest, "/view/nearest")
{
  static const double scales[] = { 1.0, 1.5, 2.0, 3.0, 16.0, 1024.0 };

  for (guint n = 0; n < G_N_ELEMENTS (scales); n++)
    {
      const FxRect rect = { -20, 0, 3000, 1 };
      g_auto (FxFrame) frame = { 0 };

      fx_frame_init (&frame, scales[n], &rect, -2.0, 0.0, 40.0, 1.0);
      for (int i = 0; i < rect.width; i++)
        {
          const double centre = (rect.x + i + 0.5) / scales[n];
          const FxCover *cover = &frame.columns[i];

          g_assert_cmpint (cover->count, ==, centre >= -2.0 && centre < 40.0);
          if (cover->count)
            {
              g_assert_cmpint (cover->first, ==, (int) floor (centre));
              g_assert_cmpfloat (fx_cover_get_weight (cover, cover->first), ==, 1.0);
            }
        }
    }
}

/* A picture, mixed with itself at first. */
typedef struct {
  FxFormat format;
  int width, height;
  guint8 *pixels;
  FxBefore before;
} Picture;

static void
picture_init (Picture *p, FxFormat format, int width, int height)
{
  const gsize size = fx_format_size (&format) * width * height;

  *p = (Picture) { .format = format, .width = width, .height = height };
  p->pixels = g_malloc (size);
  for (int i = 0; i < width * height * format.channels; i++)
    reference_encode (format.sample, g_test_rand_double_range (0.0, 1.0), p->pixels, i);
  p->before = (FxBefore) { .pixels = p->pixels, .width = width, .height = height };
}

static void
picture_clear (Picture *p)
{
  g_free (p->pixels);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Picture, picture_clear)

/* The view in bands of rows each, the last first. */
static guint8 *
reduce (const Picture *p, const FxFrame *frame, gboolean coverage, int rows)
{
  const gsize size = fx_format_size (&p->format);
  guint8 *rgba = g_malloc ((gsize) frame->width * frame->height * 4 + 1);
  g_autoptr (FxReduction)
    reduction = fx_reduction_new (&p->format, coverage, frame, &p->before, team);
  FxRect band = frame->region;

  rgba[frame->width * frame->height * 4] = 0xa5;
  for (int left = frame->region.height; left > 0; left -= band.height)
    {
      band.height = MIN (rows, left);
      band.y = frame->region.y + left - band.height;
      fx_reduction_add (reduction, &band, p->pixels + ((gsize) band.y * p->width + band.x) * size,
                        p->width * size);
    }
  fx_reduction_finish (reduction, rgba);
  g_assert_cmpint (rgba[frame->width * frame->height * 4], ==, 0xa5);
  return rgba;
}

#define ROUNDING 1e-6 /* of light, relative: more than a level where a curve is steep */

static double
to_level (const FxTrc *trc, double light)
{
  return 255.0 * CLAMP (reference_trc_to_gamma (trc, light), 0.0, 1.0);
}

/* A pixel of the view against the plain average over its covers. */
static void
check_pixel (const Picture *p, const FxCover *column, const FxCover *row, const guint8 *rgba)
{
  const int channels = p->format.channels, last = channels - 1;
  double sums[4] = { 0.0 }, alpha = 0.0;

  for (int y = row->first; y < row->first + row->count; y++)
    for (int x = column->first; x < column->first + column->count; x++)
      {
        const gsize place = ((gsize) y * p->width + x) * channels;
        const double weight = (double) fx_cover_get_weight (column, x) *
                              fx_cover_get_weight (row, y);
        const double a = channels % 2
                           ? 1.0
                           : reference_decode (p->format.sample, p->pixels, place + last);

        for (int c = 0; c < channels - (channels % 2 == 0); c++)
          {
            const double value = reference_decode (p->format.sample, p->pixels, place + c);

            sums[c] += weight * a * reference_into_light (&p->format, FX_LIGHT_LINEAR, value);
          }
        alpha += weight * a;
      }
  g_assert_cmpfloat_with_epsilon (rgba[3], 255.0 * alpha, 0.51);
  for (int c = 0; c < 3 && alpha > 0.02; c++)
    {
      const double light = sums[channels > 2 ? c : 0] / alpha;

      g_assert_cmpfloat (rgba[c], >=, to_level (&p->format.trc, light * (1.0 - ROUNDING)) - 0.52);
      g_assert_cmpfloat (rgba[c], <=, to_level (&p->format.trc, light * (1.0 + ROUNDING)) + 0.52);
    }
}

/* Whole and a few rows at a time, also beyond the edges of the image. */
static void
check_average (FxFormat format, double scale, int rows)
{
  const FxRect rect = { -3, -2, 30, 25 };
  g_auto (FxFrame) frame = { 0 };
  g_auto (Picture) p = { 0 };
  g_autofree guint8 *whole = NULL;
  g_autofree guint8 *cut = NULL;

  picture_init (&p, format, 40 + (scale < 0.1) * 1500, 33);
  fx_frame_init (&frame, scale, &rect, 0.0, 0.0, p.width, p.height);
  whole = reduce (&p, &frame, FALSE, p.height);
  cut = reduce (&p, &frame, FALSE, rows);
  for (int i = 0; i < rect.width * rect.height; i++)
    {
      const FxCover *column = &frame.columns[i % rect.width];
      const FxCover *row = &frame.rows[i / rect.width];

      for (int c = 0; c < 4 && ! format.trc.table; c++) /* its light may have many levels */
        g_assert_cmpint (ABS (whole[4 * i + c] - cut[4 * i + c]), <=, 1);
      if (column->count && row->count)
        {
          check_pixel (&p, column, row, whole + 4 * i);
          check_pixel (&p, column, row, cut + 4 * i);
        }
      else
        g_assert_cmpint (whole[4 * i] | whole[4 * i + 1] | whole[4 * i + 2] | whole[4 * i + 3], ==,
                         0);
    }
}

/* Every format, at scales below and above 1; and those of other curves. */
TEST (test_average, "/view/average")
{
  static const double scales[] = { 0.01, 0.2, 0.5, 0.77, 1.0, 2.5 };

  for (guint n = 0; n < 6 * 4 * 2 * G_N_ELEMENTS (scales); n++)
    check_average ((FxFormat) { n % 6, 1 + n / 6 % 4, n / 24 % 2 }, scales[n / 48], 1 + n % 7);
  for (guint n = 0; n < 6 * 4 * 2; n++)
    check_average ((FxFormat) { n % 6, 1 + n / 6 % 4, n / 24 % 2, trcs[1 + n % (TRCS - 1)] },
                   scales[2 + n % 3], 1 + n % 7);
}

/* Known pictures: transparent pixels have no weight, and light is averaged, not stored values. */
TEST (test_known, "/view/known")
{
  static const float white_and_clear[2][4] = { { 1, 1, 1, 1 }, { 1, 0, 0, 0 } };
  static const float black_and_white[2][4] = { { 0, 0, 0, 1 }, { 1, 1, 1, 1 } };
  static const struct {
    const float (*pixels)[4];
    guint8 rgba[4];
  } cases[] = {
    { white_and_clear, { 255, 255, 255, 128 } },
    { black_and_white, { 188, 188, 188, 255 } },
  };

  for (guint n = 0; n < G_N_ELEMENTS (cases); n++)
    {
      const FxBefore before = { cases[n].pixels, NULL, 0, 2, 1 };
      const FxRect rect = { 0, 0, 1, 1 }, all = { 0, 0, 2, 1 };
      g_auto (FxFrame) frame = { 0 };
      g_autoptr (FxReduction) reduction = NULL;
      guint8 rgba[4];

      fx_frame_init (&frame, 0.5, &rect, 0.0, 0.0, 2.0, 1.0);
      reduction = fx_reduction_new (&rgba_float, FALSE, &frame, &before, team);
      fx_reduction_add (reduction, &all, cases[n].pixels, 2 * sizeof cases[n].pixels[0]);
      fx_reduction_finish (reduction, rgba);
      g_assert_cmpmem (rgba, 4, cases[n].rgba, 4);
    }
}

/* Incoming pixels are mixed with the old ones, and their locked channels are restored. */
TEST (test_before, "/view/before")
{
  enum { SIDE = 20 };
  const FxRect rect = { 0, 0, SIDE, SIDE };
  const FxFormat format = { FX_SAMPLE_U8, 4, TRUE };
  g_auto (FxFrame) frame = { 0 };
  g_auto (Picture) old = { 0 };
  g_auto (Picture) new = { 0 };
  g_autofree guint8 *rgba = NULL;
  guint8 mask[SIDE * SIDE];

  picture_init (&old, format, SIDE, SIDE);
  picture_init (&new, format, SIDE, SIDE);
  for (int i = 0; i < SIDE * SIDE; i++)
    {
      mask[i] = i % 3 ? 255 : 0;
      old.pixels[4 * i + 3] = new.pixels[4 * i + 3] = 255;
    }
  new.before = (FxBefore) { old.pixels, mask, 2, SIDE, SIDE };
  fx_frame_init (&frame, 1.0, &rect, 0.0, 0.0, SIDE, SIDE);
  rgba = reduce (&new, &frame, FALSE, 7);
  for (int i = 0; i < SIDE * SIDE * 4; i++)
    g_assert_cmpint (rgba[i], ==, (i % 4 == 1 || i / 4 % 3 == 0 ? old : new).pixels[i]);
}

int
main (int argc, char **argv)
{
  g_autoptr (FxTeam) own = team = fx_team_new (3);

  seed_test_init (&argc, &argv);
  return g_test_run ();
}
