/* Drafts, which the CPU renders. */
#include "check.h"
#include "tested.h"
#include "run.h"
#include "steps.h"

#define DRAFT_MAX 3 /* levels that a draft of long waves may be off */

/* In the middle of a large image, so that the blur reaches most of it. */
static void
check_draft (Subject *s, double sigma, double scale)
{
  const BlurParams p = { .sigma_x = sigma, .sigma_y = sigma };
  const int x = (int) (s->width / 2 * scale), y = (int) (s->height / 2 * scale);
  const FxView v = { scale, { x - 30, y - 40, 60, 80 }, .draft = TRUE };
  const FxView whole = { scale, v.rect };
  g_autofree guint8 *draft = g_malloc ((gsize) v.rect.width * v.rect.height * 4);
  g_autofree guint8 *truth = g_malloc ((gsize) v.rect.width * v.rect.height * 4);
  FxViewReport report;
  int worst = 0;

  g_assert_true (run_view (s->preview, &p, FX_DEVICE_CPU, &v, draft, NULL, NULL, &report, NULL));
  g_assert_true (report.draft);
  g_assert_true (
    run_view (s->preview, &p, FX_DEVICE_CPU, &whole, truth, NULL, NULL, &report, NULL));
  g_assert_false (report.draft);
  for (int i = 0; i < v.rect.width * v.rect.height * 4; i++)
    worst = MAX (worst, ABS (draft[i] - truth[i]));
  if (worst > DRAFT_MAX)
    {
      g_autofree char *where = subject_describe (s, &p, &v);
      g_autofree char *what = g_strdup_printf ("a draft is %d levels off", worst);

      check_fail (what, where);
    }
}

static int
count_draft_steps (Subject *s)
{
  const BlurParams p = { .sigma_x = 1000.0, .sigma_y = 1000.0 };
  const FxView v = { 0.05, { 0, 0, 64, 64 }, .draft = TRUE };
  g_autofree guint8 *rgba = g_malloc (64 * 64 * 4);
  Steps steps = { 0 };

  g_assert_true (
    run_view (s->preview, &p, FX_DEVICE_CPU, &v, rgba, steps_count, &steps, NULL, NULL));
  return steps.steps;
}

/* On one thread it is large for any machine. */
static void
test_draft (void)
{
  static const double sigmas[] = { 1000.0, 2000.0, 5000.0 };
  const FxConfig config = { .memory_limit = G_MAXSIZE, .threads = 1 };
  g_autoptr (FxEngine) engine = fx_engine_new ();
  g_auto (Subject) s = { 0 };
  int steps;

  fx_engine_set_config (engine, &config);
  subject_init (&s, engine, (FxFormat) { FX_SAMPLE_U8, 1, TRUE }, FALSE, 9001, 7003);
  for (int y = 0; y < s.height; y++)
    for (int x = 0; x < s.width; x++)
      s.pixels[(gsize) y * s.width + x] = (guint8) (128.0 +
                                                    100.0 * sin (x / 700.0) * cos (y / 900.0));
  for (gsize n = 0; n < G_N_ELEMENTS (sigmas); n++)
    check_draft (&s, sigmas[n], n ? 0.13 : 1.0);
  /* Changed rows are scaled down again, which can be cancelled, and show in drafts, too. */
  steps = count_draft_steps (&s);
  fx_preview_change (s.preview, 0, s.height);
  g_assert_cmpint (count_draft_steps (&s), >, steps);
  memset (s.pixels + (gsize) 3000 * s.width, 0xff, (gsize) 2000 * s.width);
  fx_preview_change (s.preview, 3000, 2000);
  check_draft (&s, 1000.0, 0.13);
  /* So does a mask: in the middle, where the image has just become white, it leaves it as it is. */
  subject_mask (&s, 500.0);
  check_draft (&s, 1000.0, 0.13);
}

/* A small image has none: they are the truth. */
static void
test_no_draft (void)
{
  const BlurParams p = { .sigma_x = 3.0, .sigma_y = 3.0 };
  const FxView v = { 1.0, { 0, 0, 60, 50 }, .draft = TRUE };
  g_autofree guint8 *rgba = g_malloc (60 * 50 * 4);
  g_auto (Subject) s = { 0 };
  FxViewReport report;

  subject_init (&s, tested_engine (), subject_rgba8, FALSE, 60, 50);
  g_assert_true (run_view (s.preview, &p, FX_DEVICE_CPU, &v, rgba, NULL, NULL, &report, NULL));
  g_assert_false (report.draft);
  check_rgba (&s, &p, &v, rgba);
}

TESTS (add_drafts)
{
  if (tested_device () != FX_DEVICE_CPU)
    return;
  g_test_add_func ("/preview/draft", test_draft);
  g_test_add_func ("/preview/no-draft", test_no_draft);
}
