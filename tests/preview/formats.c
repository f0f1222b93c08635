/* Every format of pixels, masks, locked channels, and samples that are not finite. */
#include "blurred.h"
#include "check.h"
#include "pairs.h"
#include "reference.h"
#include "run.h"
#include "tested.h"
#include "trcs.h"

/* Chosen pairwise: the GPU compiles programs for each. */
TEST (test_formats, "/preview/formats")
{
  /* The numbers of samples, channels, gammas, lights, abysses, sigmas, scales and masks. */
  static const int factors[] = { 6, 4, 2, 2, 4, 2, SUBJECT_SCALES, 2 };
  g_autoptr (GArray) rows = pairs_new (factors, G_N_ELEMENTS (factors));

  for (guint n = 0; n < rows->len; n++)
    {
      const int *row = g_array_index (rows, PairsRow, n).values;
      const FxFormat format = { row[0], 1 + row[1], row[2] };
      const BlurParams p = {
        .sigma_x = row[5] ? 1.5 : 8.0, .sigma_y = 2.5, .abyss = row[4], .light = row[3]
      };
      g_auto (Subject) s = { 0 };
      FxView v = { subject_scales[row[6]] };

      subject_init (&s, tested_engine (), format, FALSE, 97, 71);
      if (row[7])
        subject_mask (&s, 30.0);
      v.rect = subject_get_rect (&s, v.scale);
      check_view (&s, &p, &v);
    }
}

/* Views of images of other curves, which are stored through these. */
TEST (test_curves, "/preview/curves")
{
  for (int n = 0; n < 6 * (TRCS - 1); n++)
    {
      const FxFormat format = { n % 6, 3 + n % 2, n % 3 > 0, trcs[1 + n / 6] };
      const BlurParams p = { .sigma_x = n % 5 < 2 ? 1.5 : 8.0,
                             .sigma_y = 2.5,
                             .light = n % 4 == 3 };
      g_auto (Subject) s = { 0 };
      FxView v = { subject_scales[n % SUBJECT_SCALES] };

      subject_init (&s, tested_engine (), format, FALSE, 97, 71);
      if (n / 2 % 2)
        subject_mask (&s, 30.0);
      v.rect = subject_get_rect (&s, v.scale);
      check_view (&s, &p, &v);
    }
}

TEST (test_coverage, "/preview/coverage")
{
  for (int n = 0; n < 6 * 2 * 2; n++)
    {
      const FxFormat format = { n % 6, 1, n / 6 % 2 };
      const BlurParams p = { .sigma_x = 3.0, .sigma_y = n % 2 ? 3.0 : 20.0, .light = n % 2 };
      g_auto (Subject) s = { 0 };
      FxView v = { subject_scales[n % 4] };

      subject_init (&s, tested_engine (), format, TRUE, 80, 60);
      if (n / 12)
        subject_mask (&s, 25.0);
      v.rect = subject_get_whole (&s, v.scale, 0, 0);
      check_view (&s, &p, &v);
    }
}

/* Locked channels, with and without a mask, and of grown images. */
TEST (test_locked, "/preview/locked")
{
  for (int n = 0; n < 6 * 4 * 2; n++)
    {
      const FxFormat format = { n % 6, 1 + n / 6 % 4, n / 24 };
      const guint all = (1u << format.channels) - 1, alpha = all & ~(all >> 1);
      const guint locked[] = { alpha, all & 1, all & 6 };
      const gboolean grown = n % 7 == 0;
      const BlurParams p = { .sigma_x = n / 2 % 3 ? 1.5 : 8.0,
                             .sigma_y = 2.5,
                             .abyss = grown ? FX_ABYSS_NONE : FX_ABYSS_CLAMP };
      g_auto (Subject) s = { 0 };
      FxView v = { subject_scales[n % 5] };

      subject_init (&s, tested_engine (), format, FALSE, 97, 71);
      subject_keep (&s, locked[(n + n / 6 + n / 24) % 3]);
      if (n / 3 % 2)
        subject_mask (&s, 30.0);
      if (grown)
        v.grow_x = v.grow_y = 9;
      v.rect = subject_get_whole (&s, v.scale, v.grow_x, v.grow_y);
      v.rect.width = MIN (v.rect.width, SUBJECT_VIEW_MAX);
      v.rect.height = MIN (v.rect.height, SUBJECT_VIEW_MAX);
      check_view (&s, &p, &v);
    }
}

/* Noise in a mask's soft edge over a faint part of the image, where a step of alpha weighs most. */
TEST (test_faint, "/preview/faint")
{
  for (int n = 0; n < 20; n++)
    {
      const BlurParams p = { .sigma_x = n % 2 ? 2.0 : 12.0, .sigma_y = 2.0 };
      const FxView v = { n % 3 ? 0.5 : 1.0, { 0, 0, 50, 40 } };
      g_auto (Subject) s = { 0 };

      subject_init (&s, tested_engine (), subject_rgba8, FALSE, 100, 80);
      subject_fill (&s, 0, 80, 1.0);
      fx_preview_change (s.preview, 0, 80);
      subject_mask (&s, 30.0);
      check_view (&s, &p, &v);
    }
}

/* The view of a poked image: near the infinity as bright, or as dark, as can be, and beyond 9 sigma
 * what it shows of the image without. */
static void
compare_poked (const Subject *s, const BlurParams *p, const FxView *v, int x, int y,
               guint8 expected, const guint8 *rgba)
{
  g_auto (Blurred) b = { 0 };
  g_autofree char *where = subject_describe (s, p, v);

  blurred_init (&b, s, p, v);
  for (int n = 0; n < v->rect.width * v->rect.height; n++)
    {
      double values[4], leeways[4];
      const int i = n % v->rect.width, j = n / v->rect.width;
      const double dx = fabs ((i + 0.5) / v->scale - x - 0.5);
      const double dy = fabs ((j + 0.5) / v->scale - y - 0.5);
      const gboolean there = blurred_average (&b, v, i, j, values, leeways);

      if (dx > 9.0 * p->sigma_x + 1.0 / v->scale || dy > 9.0 * p->sigma_y + 1.0 / v->scale)
        {
          if (check_judge (s, values, leeways, there, rgba + 4 * n) > 1.0)
            check_fail ("infinity reaches beyond 9 sigma", where);
        }
      else if (dx < 2.0 * p->sigma_x && dy < 2.0 * p->sigma_y && rgba[4 * n] != expected)
        check_fail ("infinity does not show where it is", where);
    }
}

TEST (test_nonfinite, "/preview/nonfinite")
{
  for (int n = 0; n < 16; n++)
    {
      const FxFormat format = { n % 2 ? FX_SAMPLE_FLOAT : FX_SAMPLE_HALF, 4, n / 2 % 2 };
      const double sigma = n / 4 % 2 ? 2.0 : 5.5;
      const BlurParams p = { .sigma_x = sigma, .sigma_y = sigma };
      const FxView v = { n / 8 ? 0.5 : 1.0, { 0, 0, 120, 90 } };
      const gsize place = 4 * (30 * 160 + 40);
      g_autofree guint8 *rgba = g_malloc (120 * 90 * 4);
      g_autofree guint8 *pixels = NULL;
      g_auto (Subject) s = { 0 };
      FxViewReport report;

      subject_init (&s, tested_engine (), format, FALSE, 160, 120);
      pixels = g_memdup2 (s.pixels, 160 * 120 * fx_format_size (&format));
      reference_encode (format.sample, n % 3 ? INFINITY : -INFINITY, s.pixels, place);
      fx_preview_change (s.preview, 0, 120);
      if (n % 5 < 3)
        {
          s.mask = g_malloc (160 * 120);
          memset (s.mask, 100, 160 * 120);
          fx_preview_set_mask (s.preview, s.mask);
        }
      g_assert_true (
        run_view (s.preview, &p, tested_device (), &v, rgba, NULL, NULL, &report, NULL));
      memcpy (s.pixels, pixels, 160 * 120 * fx_format_size (&format));
      compare_poked (&s, &p, &v, 40, 30, n % 3 ? 255 : 0, rgba);
    }
}
