/* The pyramid by itself: its sizes, its averages, and the rows that are computed again when the
 * image changes. */
#include "pyramid.h"
#include "reference.h"
#include "test.h"

static FxTeam *team; /* for all tests */

/* Counts its calls, and says no at call number stop, from 1; 0: never. */
typedef struct {
  int calls, stop;
} Steps;

static gboolean
step (gpointer data, GError **error)
{
  Steps *steps = data;

  if (++steps->calls != steps->stop)
    return TRUE;
  g_set_error (error, FX_ERROR, FX_ERROR_CANCELLED, "enough");
  return FALSE;
}

static gconstpointer
get (FxPyramid *pyramid, int level, int y, int rows, int *calls)
{
  g_autoptr (GError) error = NULL;
  Steps steps = { 0 };
  gconstpointer pixels = fx_pyramid_get (pyramid, level, y, rows, step, &steps, &error);

  g_assert_no_error (error);
  if (calls)
    *calls = steps.calls;
  return pixels;
}

static gconstpointer
get_all (FxPyramid *pyramid, int level, int *calls)
{
  int width, height;

  fx_pyramid_get_size (pyramid, level, &width, &height);
  return get (pyramid, level, 0, height, calls);
}

static gpointer
make_image (const FxFormat *format, int width, int height)
{
  gpointer pixels = g_malloc (fx_format_size (format) * width * height);

  for (int i = 0; i < width * height * format->channels; i++)
    reference_encode (format->sample, g_test_rand_double_range (0.05, 1.0), pixels, i);
  return pixels;
}

static const int sizes[][2] = {
  { 1, 1 }, { 2, 1 }, { 1, 2 }, { 3, 3 }, { 5, 7 }, { 64, 64 }, { 513, 3 }, { 1030, 131 },
};

TEST (test_sizes, "/pyramid/sizes")
{
  const FxFormat format = { FX_SAMPLE_U8, 1, TRUE };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      FxPyramid *pyramid = fx_pyramid_new (&format, sizes[i][0], sizes[i][1], NULL, team);

      for (int level = 0; level < FX_PYRAMID_LEVELS; level++)
        {
          const double scale = ldexp (1.0, -level);
          int width, height;

          fx_pyramid_get_size (pyramid, level, &width, &height);
          g_assert_cmpint (width, ==, (int) ceil (sizes[i][0] * scale));
          g_assert_cmpint (height, ==, (int) ceil (sizes[i][1] * scale));
        }
      fx_pyramid_free (pyramid);
    }
  fx_pyramid_free (NULL);
}

/* Pixel x, y of a level as it is stored: premultiplied, linear. */
static void
decode (const FxFormat *format, gconstpointer pixels, int width, int x, int y, double *values)
{
  const int channels = format->channels, last = channels - 1;
  const gsize place = ((gsize) y * width + x) * channels;
  const double alpha = channels % 2 ? 1.0 : reference_decode (format->sample, pixels, place + last);

  for (int c = 0; c < channels; c++)
    {
      const double value = reference_decode (format->sample, pixels, place + c);

      values[c] = channels % 2 == 0 && c == last
                    ? alpha
                    : alpha * (format->gamma ? reference_to_linear (value) : value);
    }
}

/* The average of what pixel x, y of the next level is made of, as it is to be stored. */
static void
average (const FxFormat *format, gconstpointer pixels, int width, int height, int x, int y,
         double *values)
{
  const int right = MIN (2 * x + 2, width), bottom = MIN (2 * y + 2, height);
  const int n = (right - 2 * x) * (bottom - 2 * y), last = format->channels - 1;
  double alpha = 1.0;

  memset (values, 0, 4 * sizeof *values);
  for (int v = 2 * y; v < bottom; v++)
    for (int u = 2 * x; u < right; u++)
      {
        double pixel[4];

        decode (format, pixels, width, u, v, pixel);
        for (int c = 0; c <= last; c++)
          values[c] += pixel[c] / n;
      }
  if (last % 2)
    alpha = values[last];
  for (int c = 0; c < format->channels - last % 2; c++)
    {
      values[c] /= alpha;
      if (format->gamma)
        values[c] = reference_to_gamma (values[c]);
    }
}

/* Each level from the one before as it is stored: rounding does not add up. */
static void
check_level (FxPyramid *pyramid, const FxFormat *format, int level)
{
  static const double steps[] = { 0.51 / 255.0, 0.51 / 65535.0, 1e-6, 0x1p-11, 3e-6, 3e-6 };
  int width, height, from_width, from_height;
  gconstpointer pixels = get_all (pyramid, level, NULL);
  gconstpointer from = get_all (pyramid, level - 1, NULL);

  fx_pyramid_get_size (pyramid, level, &width, &height);
  fx_pyramid_get_size (pyramid, level - 1, &from_width, &from_height);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      {
        double values[4];

        average (format, from, from_width, from_height, x, y, values);
        for (int c = 0; c < format->channels; c++)
          g_assert_cmpfloat_with_epsilon (reference_decode (format->sample, pixels,
                                                            ((gsize) y * width + x) *
                                                                format->channels +
                                                              c),
                                          values[c], steps[format->sample] + 2e-6);
      }
}

TEST (test_levels, "/pyramid/levels")
{
  for (guint n = 0; n < 6 * 4 * 2 * G_N_ELEMENTS (sizes); n++)
    {
      const FxFormat format = { n % 6, 1 + n / 6 % 4, n / 24 % 2 };
      const int *size = sizes[n / 48];
      g_autofree gpointer image = NULL;
      FxPyramid *pyramid;

      if (size[0] > 1000 && n % 5) /* takes long */
        continue;
      image = make_image (&format, size[0], size[1]);
      pyramid = fx_pyramid_new (&format, size[0], size[1], image, team);
      g_assert_true (get_all (pyramid, 0, NULL) == image);
      for (int level = 1; level < 6; level++)
        check_level (pyramid, &format, level);
      fx_pyramid_free (pyramid);
    }
}

/* The colour of transparent pixels does not count; if all are transparent, the average is black. */
TEST (test_transparent, "/pyramid/transparent")
{
  const FxFormat format = { FX_SAMPLE_U8, 4, TRUE };
  static const guint8 image[4][4] = { { 200, 100, 50, 255 }, { 9, 255, 9, 0 }, { 1, 2, 3, 0 } };
  static const guint8 half[] = { 200, 100, 50, 128 }, none[] = { 0, 0, 0, 0 };
  FxPyramid *pyramid = fx_pyramid_new (&format, 4, 1, image, team);
  const guint8 *pixels = get_all (pyramid, 1, NULL);

  g_assert_cmpmem (pixels, 4, half, 4);
  g_assert_cmpmem (pixels + 4, 4, none, 4);
  fx_pyramid_free (pyramid);
}

/* Only changed rows are computed again, and of these only the requested ones. */
TEST (test_change, "/pyramid/change")
{
  const FxFormat format = { FX_SAMPLE_U8, 3, TRUE };
  const int width = 333, height = 1001;
  g_autofree guint8 *image = make_image (&format, width, height);
  FxPyramid *pyramid = fx_pyramid_new (&format, width, height, image, team);

  for (int n = 0; n < 30; n++)
    {
      const int y = g_test_rand_int_range (0, height);
      const int rows = g_test_rand_int_range (1, height - y + 1);
      const int level = g_test_rand_int_range (1, 7);
      FxPyramid *fresh = fx_pyramid_new (&format, width, height, image, team);
      int calls, level_width, level_height;
      gsize size;

      for (gsize i = 0; i < (gsize) 3 * width * rows; i++)
        image[(gsize) 3 * width * y + i] ^= g_test_rand_int_range (0, 8);
      fx_pyramid_change (pyramid, y, rows);
      fx_pyramid_get_size (pyramid, level, &level_width, &level_height);
      size = (gsize) 3 * level_width;
      get (pyramid, level, level_height - 1, 1, NULL);
      g_assert_cmpmem (get_all (pyramid, level, NULL), size * level_height,
                       get_all (fresh, level, NULL), size * level_height);
      get_all (pyramid, level, &calls);
      g_assert_cmpint (calls, ==, 0);
      fx_pyramid_free (fresh);
    }
  fx_pyramid_free (pyramid);
}

/* Rows are made when they are asked for, and not again. */
TEST (test_part, "/pyramid/part")
{
  const FxFormat format = { FX_SAMPLE_U8, 1, FALSE };
  g_autofree guint8 *image = make_image (&format, 64, 1024);
  FxPyramid *pyramid = fx_pyramid_new (&format, 64, 1024, image, team);
  g_autofree guint8 *first = g_memdup2 ((const guint8 *) get (pyramid, 3, 10, 4, NULL) + 10 * 8,
                                        4 * 8);
  const guint8 *level;

  memset (image, 0, 64 * 1024); /* and nobody is told */
  level = get (pyramid, 3, 8, 120, NULL);
  g_assert_cmpmem (level + 10 * 8, 4 * 8, first, 4 * 8);
  for (int i = 8 * 8; i < 128 * 8; i++)
    if (i / 8 < 10 || i / 8 >= 14)
      g_assert_cmpint (level[i], ==, 0);
  fx_pyramid_free (pyramid);
}

/* Each of the steps can be the last; the next call ends what was begun. */
TEST (test_cancel, "/pyramid/cancel")
{
  const FxFormat format = { FX_SAMPLE_U16, 2, TRUE };
  g_autofree gpointer image = make_image (&format, 50, 700);
  FxPyramid *whole = fx_pyramid_new (&format, 50, 700, image, team);
  int calls;
  gconstpointer expected = get_all (whole, 2, &calls);

  g_assert_cmpint (calls, >, 5);
  for (int stop = 1; stop <= calls; stop++)
    {
      FxPyramid *pyramid = fx_pyramid_new (&format, 50, 700, image, team);
      Steps steps = { 0, stop };
      g_autoptr (GError) error = NULL;

      g_assert_null (fx_pyramid_get (pyramid, 2, 0, 175, step, &steps, &error));
      g_assert_error (error, FX_ERROR, FX_ERROR_CANCELLED);
      g_assert_cmpint (steps.calls, ==, stop);
      g_assert_cmpmem (get_all (pyramid, 2, NULL), 13 * 175 * 4, expected, 13 * 175 * 4);
      fx_pyramid_free (pyramid);
    }
  fx_pyramid_free (whole);
}

int
main (int argc, char **argv)
{
  g_autoptr (FxTeam) own = team = fx_team_new (3);

  seed_test_init (&argc, &argv);
  return g_test_run ();
}
