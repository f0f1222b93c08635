/* Images and masks that change, views that are cancelled, and refusals. */
#include "check.h"
#include "tested.h"
#include "run.h"
#include "steps.h"

/* Changed rows show after fx_preview_change; so does a mask that is set, and one that is
 * removed. */
TEST (test_change, "/preview/change")
{
  static const double kinds[] = { 0.0, 2.0, 30.0 };

  for (gsize n = 0; n < G_N_ELEMENTS (kinds); n++)
    {
      const BlurParams p = { .sigma_x = kinds[n], .sigma_y = kinds[n] };
      g_auto (Subject) s = { 0 };
      const FxView v = { 0.5, { 0, 0, 60, 50 } };

      subject_init (&s, tested_engine (), subject_rgba8, FALSE, 120, 100);
      check_view (&s, &p, &v);
      subject_fill (&s, 10, 11, 1.0);
      subject_fill (&s, 40, 83, 1.0);
      fx_preview_change (s.preview, 10, 1);
      fx_preview_change (s.preview, 40, 43);
      check_view (&s, &p, &v);
      subject_fill (&s, 0, 100, 0.1);
      fx_preview_change (s.preview, -5, G_MAXINT);
      check_view (&s, &p, &v);
      subject_mask (&s, 30.0);
      check_view (&s, &p, &v);
      subject_mask (&s, 11.0);
      check_view (&s, &p, &v);
      fx_preview_set_mask (s.preview, NULL);
      g_clear_pointer (&s.mask, g_free);
      check_view (&s, &p, &v);
    }
}

/* Two previews of one engine take turns. */
TEST (test_two, "/preview/two")
{
  const BlurParams p = { .sigma_x = 2.0, .sigma_y = 2.0 };
  const FxView v = { 0.5, { 0, 0, 50, 40 } };
  g_auto (Subject) a = { 0 };
  g_auto (Subject) b = { 0 };

  subject_init (&a, tested_engine (), subject_rgba8, FALSE, 100, 80);
  subject_init (&b, tested_engine (), subject_rgb8, FALSE, 70, 110);
  for (int n = 0; n < 4; n++)
    check_view (n % 2 ? &a : &b, &p, &v);
}

TEST (test_cancel, "/preview/cancel")
{
  static const double sigmas[] = { 0.0, 3.0, 50.0 };
  g_autofree guint8 *rgba = g_malloc (64 * 64 * 4);
  g_auto (Subject) s = { 0 };

  subject_init (&s, tested_engine (), subject_rgba8, FALSE, 300, 400);
  for (int n = 0; n < 6; n++)
    {
      const BlurParams p = { .sigma_x = sigmas[n % 3], .sigma_y = sigmas[n % 3] };
      const FxView v = { 0.3, { 0, 0, 64, 64 }, .draft = n / 3 };
      gboolean done = FALSE;

      for (int cancel = 1; ! done; cancel++)
        {
          Steps steps = { 0, cancel };
          g_autoptr (GError) error = NULL;

          fx_preview_change (s.preview, 0, 400); /* so that it has to be read again */
          done = run_view (s.preview, &p, tested_device (), &v, rgba, steps_count, &steps, NULL,
                           &error);
          g_assert_cmpint (cancel, <, 1000);
          g_assert_true (done || steps.steps == cancel); /* it was not asked again */
          if (done)                                      /* asked before it was read, and after */
            g_assert_cmpint (cancel, >, 2);
          else
            g_assert_error (error, FX_ERROR, FX_ERROR_CANCELLED);
        }
      check_view (&s, &p, &(FxView) { 0.3, { 0, 0, 64, 64 } });
    }
}

static void
refuse (FxPreview *preview, const BlurParams *p, const FxView *v)
{
  guint8 rgba[4];
  g_autoptr (GError) error = NULL;

  g_assert_false (run_view (preview, p, tested_device (), v, rgba, NULL, NULL, NULL, &error));
  g_assert_error (error, FX_ERROR, FX_ERROR_ARGUMENT);
}

TEST (test_arguments, "/preview/arguments")
{
  static const FxView views[] = {
    { 0.0, { 0, 0, 1, 1 } },
    { -1.0, { 0, 0, 1, 1 } },
    { 1.0 / 1025.0, { 0, 0, 1, 1 } },
    { 1025.0, { 0, 0, 1, 1 } },
    { NAN, { 0, 0, 1, 1 } },
    { 1.0, { 0, 0, 0, 1 } },
    { 1.0, { 0, 0, 1, -1 } },
    { 1.0, { 0, 0, 1, 1 }, -1, 0 },
    { 1.0, { 0, 0, 1, 1 }, 0, G_MAXINT },
    { 1.0, { 0, 0, 1, 1 }, FX_SIZE_MAX / 2, 0 },
    { 1.0, { 0, 0, 16385, 1 } },
  };
  const BlurParams good = { .sigma_x = 1.0 };
  const BlurParams bad = { .sigma_x = -1.0 };
  g_auto (Subject) s = { 0 };

  subject_init (&s, tested_engine (), subject_rgba8, FALSE, 3, 2);
  for (gsize n = 0; n < G_N_ELEMENTS (views); n++)
    refuse (s.preview, &good, &views[n]);
  refuse (s.preview, &bad, &(FxView) { 1.0, { 0, 0, 1, 1 } });
}

/* A plan in a light that coverage does not know, or of another format. */
TEST (test_foreign_plan, "/preview/foreign-plan")
{
  const BlurParams params = { .sigma_x = 1.0, .light = FX_LIGHT_PERCEPTUAL };
  const FxView v = { 1.0, { 0, 0, 3, 2 } };
  g_auto (Subject) coverage = { 0 };
  g_auto (Subject) picture = { 0 };
  g_autoptr (FxPlan) plan = NULL;
  g_autoptr (GError) error = NULL;
  guint8 rgba[24];

  subject_init (&coverage, tested_engine (), (FxFormat) { FX_SAMPLE_U8, 1, TRUE }, TRUE, 3, 2);
  subject_init (&picture, tested_engine (), subject_rgba8, FALSE, 3, 2);
  refuse (coverage.preview, &params, &v);
  plan = blur_plan_new (&params, fx_preview_get_format (coverage.preview), NULL);
  g_assert_false (
    fx_preview_render (picture.preview, plan, FX_DEVICE_CPU, &v, rgba, NULL, NULL, NULL, &error));
  g_assert_error (error, FX_ERROR, FX_ERROR_ARGUMENT);
}

/* The plan that changes nothing shows the image itself, whole, in parts and enlarged. */
TEST (test_identity, "/preview/identity")
{
  const BlurParams none = { 0 };
  g_auto (Subject) s = { 0 };
  g_autoptr (FxPlan) plan = NULL;
  guint8 rgba[70 * 60 * 4];

  subject_init (&s, tested_engine (), subject_rgba8, FALSE, 50, 40);
  plan = fx_plan_new_identity (fx_preview_get_format (s.preview));
  for (int n = 0; n < 8; n++)
    {
      const int grow = n % 2 ? 10 : 0;
      FxView v = { subject_scales[n % 4], { 0 }, grow, grow, n / 4 };

      v.rect = n % 4 ? (FxRect) { -5, -5, 60, 50 } : subject_get_whole (&s, v.scale, grow, grow);
      v.rect.width = MIN (v.rect.width, 70);
      v.rect.height = MIN (v.rect.height, 60);
      g_assert_true (
        fx_preview_render (s.preview, plan, tested_device (), &v, rgba, NULL, NULL, NULL, NULL));
      check_rgba (&s, &none, &v, rgba);
    }
}

/* A preview that never rendered, and none. */
TEST (test_free, "/preview/free")
{
  g_auto (Subject) s = { 0 };

  subject_init (&s, tested_engine (), subject_rgba8, FALSE, 3, 2);
  fx_preview_free (NULL);
}
