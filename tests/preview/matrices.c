/* Views of convolutions by Fourier transforms on the GPU, which have to be only as exact as can be
 * seen, against those of the CPU, which are as exact as a result. */
#include "convolve.h"
#include "subject.h"
#include "test.h"
#include "tested.h"

#define TOLERANCE 2.0 /* levels: each of the two views is rounded */

static void
render (Subject *s, FxPlan *plan, FxDevice device, const FxView *v, guint8 *rgba)
{
  g_autoptr (GError) error = NULL;
  FxViewReport report;

  fx_preview_render (s->preview, plan, device, v, rgba, NULL, NULL, &report, &error);
  g_assert_no_error (error);
  g_assert_true ((report.report.device == FX_DEVICE_GPU) == (device == FX_DEVICE_GPU));
}

/* Returns the largest difference, of colour as much as its alpha lets be seen. */
static double
get_difference (const guint8 *a, const guint8 *b, int pixels)
{
  double most = 0.0;

  for (int i = 0; i < pixels; i++, a += 4, b += 4)
    for (int c = 0; c < 4; c++)
      most = MAX (most, c == 3 ? abs (a[3] - b[3]) : abs (a[c] * a[3] - b[c] * b[3]) / 255.0);
  return most;
}

static void
check_matrix (FxFormat format, int size, double scale)
{
  g_autofree double *values = g_new (double, size *size);
  const ConvolveParams params = { .rows = size, .columns = size, .values = values };
  g_autoptr (FxPlan) plan = NULL;
  g_auto (Subject) s = { 0 };
  FxView v = { .scale = scale };
  g_autofree guint8 *gpu = NULL, *cpu = NULL;
  int pixels;

  for (int i = 0; i < size * size; i++)
    values[i] = g_test_rand_double ();
  subject_init (&s, tested_engine (), format, FALSE, 150, 110);
  plan = convolve_plan_new (&params, fx_preview_get_format (s.preview), NULL);
  v.rect = subject_get_whole (&s, scale, 0, 0);
  pixels = v.rect.width * v.rect.height;
  gpu = g_malloc (4 * pixels);
  cpu = g_malloc (4 * pixels);
  render (&s, plan, FX_DEVICE_GPU, &v, gpu);
  render (&s, plan, FX_DEVICE_CPU, &v, cpu);
  g_assert_cmpfloat (get_difference (gpu, cpu, pixels), <=, TOLERANCE);
}

TEST (test_matrices, "/preview/matrices")
{
  static const FxFormat formats[] = { { FX_SAMPLE_FLOAT, 4, FALSE },
                                      { FX_SAMPLE_U16, 4, TRUE },
                                      { FX_SAMPLE_U8, 4, TRUE } };

  if (tested_device () != FX_DEVICE_GPU)
    {
      g_test_skip ("for a GPU");
      return;
    }
  for (guint f = 0; f < G_N_ELEMENTS (formats); f++)
    for (int n = 0; n < 4; n++)
      check_matrix (formats[f], n % 2 ? 65 : 31, n / 2 ? 0.37 : 1.0);
}
