#include "check.h"
#include "blurred.h"
#include "fingerprint.h"
#include "pixel.h"
#include "reference.h"
#include "run.h"
#include "tested.h"

#define MISMATCHES_SHOWN 10

static double
to_level (const FxTrc *trc, double light)
{
  return 255.0 * CLAMP (reference_trc_to_gamma (trc, light), 0.0, 1.0);
}

/* Returns the permitted error of a view whose light, before it is rounded, may be wrong by
 * leeway. */
static double
get_tolerance (const FxTrc *trc, double light, double leeway)
{
  return 0.52 + MAX (to_level (trc, light + leeway) - to_level (trc, light),
                     to_level (trc, light) - to_level (trc, light - leeway));
}

double
check_judge (const Subject *s, const double *values, const double *leeways, gboolean there,
             const guint8 *rgba)
{
  const FxTrc *trc = &s->format.trc;
  const int channels = s->format.channels;
  const gboolean has_alpha = channels % 2 == 0;
  const double alpha = ! there ? 0.0 : has_alpha ? values[channels - 1] : 1.0;
  const double da = has_alpha ? leeways[channels - 1] : 0.0;
  double worst = fabs (rgba[3] - 255.0 * CLAMP (alpha, 0.0, 1.0)) / (0.52 + 255.0 * da);

  for (int c = 0; c < 3; c++)
    {
      const int from = channels > 2 ? c : 0;
      const double light = alpha > 1e-9 ? values[from] / alpha : 0.0;
      const double leeway = alpha > 1e-9
                              ? MIN (1.0, (leeways[from] + light * da + PIXEL_PRECISION) / alpha)
                              : 1.0;

      worst = MAX (worst,
                   fabs (rgba[c] - to_level (trc, light)) / get_tolerance (trc, light, leeway));
    }
  return worst;
}

void
check_fail (const char *what, const char *where)
{
  static int shown;

  if (shown++ < MISMATCHES_SHOWN)
    g_test_message ("MISMATCH: %s\n  in %s", what, where);
  g_test_fail ();
}

void
check_rgba (const Subject *s, const BlurParams *p, const FxView *v, const guint8 *rgba)
{
  g_auto (Blurred) b = { 0 };
  double worst = 0.0, at[4] = { 0.0 };
  int place = 0;

  blurred_init (&b, s, p, v);
  for (int n = 0; n < v->rect.width * v->rect.height; n++)
    {
      double values[4], leeways[4];
      const gboolean there = blurred_average (&b, v, n % v->rect.width, n / v->rect.width, values,
                                              leeways);
      const double error = check_judge (s, values, leeways, there, rgba + 4 * n);

      if (error > worst)
        {
          worst = error;
          place = n;
          memcpy (at, values, sizeof at);
        }
    }
  if (worst > 1.0)
    {
      g_autofree char *where = subject_describe (s, p, v);
      g_autofree char *what = g_strdup_printf (
        "%.3f times the tolerance at %d,%d: got %d %d %d %d, of light %.4f %.4f %.4f %.4f", worst,
        place % v->rect.width, place / v->rect.width, rgba[4 * place], rgba[4 * place + 1],
        rgba[4 * place + 2], rgba[4 * place + 3], at[0], at[1], at[2], at[3]);

      check_fail (what, where);
    }
}

static void
check_report (const Subject *s, const BlurParams *p, const FxView *v, const FxViewReport *r)
{
  g_autofree char *where = subject_describe (s, p, v);

  if (tested_device () == FX_DEVICE_GPU && r->report.device != FX_DEVICE_GPU)
    check_fail ("the GPU did not do it", where);
  if (r->draft || *r->report.fallback)
    check_fail ("a draft, or a fallback, that nobody asked for", where);
  if (! *r->report.device_name)
    check_fail ("the device has no name", where);
}

void
check_view (Subject *s, const BlurParams *p, const FxView *v)
{
  g_autofree guint8 *rgba = g_malloc ((gsize) v->rect.width * v->rect.height * 4 + 4);
  g_autoptr (GError) error = NULL;
  FxViewReport report;
  BlurParams params = *p;

  if (s->coverage) /* a plan in another light is refused */
    params.light = FX_LIGHT_LINEAR;
  memset (rgba, 0xa5, (gsize) v->rect.width * v->rect.height * 4 + 4);
  run_view (s->preview, &params, tested_device (), v, rgba, NULL, NULL, &report, &error);
  g_assert_no_error (error);
  check_report (s, p, v, &report);
  check_rgba (s, p, v, rgba);
  fingerprint_add (rgba, (gsize) v->rect.width * v->rect.height * 4);
  if (rgba[(gsize) v->rect.width * v->rect.height * 4] != 0xa5)
    check_fail ("written beyond the view", "");
}
