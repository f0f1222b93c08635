/* Scales, places and sizes. */
#include "check.h"
#include "tested.h"

/* Rectangles at odd places, within the image, across its edges and beyond them. */
TEST (test_scales, "/preview/scales")
{
  static const FxRect rects[] = {
    { 0, 0, 64, 48 },   { 13, 7, 31, 29 },    { -9, -11, 40, 30 }, { 1, 2, 1, 1 },
    { -50, 0, 20, 20 }, { 5000, 5000, 9, 9 }, { 3, -4, 17, 3 },    { G_MAXINT - 5, G_MININT, 5, 5 },
  };
  g_auto (Subject) s = { 0 };

  subject_init (&s, tested_engine (), subject_rgba8, FALSE, 301, 203);
  subject_mask (&s, 70.0);
  for (gsize n = 0; n < G_N_ELEMENTS (rects) * SUBJECT_SCALES; n++)
    {
      const BlurParams p = { .sigma_x = n % 3 * 2.0, .sigma_y = 4.0, .abyss = n % 2 };
      const FxView v = { subject_scales[n % SUBJECT_SCALES], rects[n / SUBJECT_SCALES] };

      check_view (&s, &p, &v);
    }
}

/* Odd scales: view pixels that average up to 1024 image pixels along each axis, and image pixels
 * that fill many view pixels. */
TEST (test_odd_scales, "/preview/odd-scales")
{
  static const double odd[] = { 1.0 / 1024.0, 1.0 / 300.0, 0.013,     0.0999, 0.3,
                                0.99,         0.9999999,   1.0000001, 1.7,    1024.0 };
  g_auto (Subject) s = { 0 };

  subject_init (&s, tested_engine (), subject_rgba8, FALSE, 700, 511);
  for (gsize n = 0; n < G_N_ELEMENTS (odd); n++)
    {
      const BlurParams p = { .sigma_x = 6.0, .sigma_y = 2.0 };
      FxView v = { odd[n] };

      v.rect = subject_get_rect (&s, v.scale);
      check_view (&s, &p, &v);
      v.rect.x = v.rect.y = -1;
      check_view (&s, &p, &v);
    }
}

TEST (test_sizes, "/preview/sizes")
{
  static const int sizes[][2] = {
    { 1, 1 }, { 1, 2 }, { 2, 1 }, { 1, 400 }, { 400, 1 }, { 3, 700 }, { 900, 2 }, { 17, 33 },
  };

  for (gsize n = 0; n < G_N_ELEMENTS (sizes) * SUBJECT_SCALES; n++)
    {
      const int *size = sizes[n / SUBJECT_SCALES];
      const BlurParams p = { .sigma_x = n % 2 ? 2.0 : 30.0,
                             .sigma_y = n % 3 ? 2.0 : 9.0,
                             .abyss = n % 4 };
      g_auto (Subject) s = { 0 };
      FxView v = { subject_scales[n % SUBJECT_SCALES] };

      subject_init (&s, tested_engine (), n % 2 ? subject_rgba8 : subject_rgb8, FALSE, size[0],
                    size[1]);
      v.rect = subject_get_rect (&s, v.scale);
      v.rect.x = v.rect.y = 0;
      check_view (&s, &p, &v);
    }
}
