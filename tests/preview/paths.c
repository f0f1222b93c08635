/* Each path of the blur, for images as they are, enlarged, and a part at a time. */
#include "check.h"
#include "tested.h"
#include "run.h"

#define KERNEL_MAX 9999

/* Parameters for each of the GPU's paths: identity, the FIR, long kernels, one grid, several. The
 * longest is for small images. */
static const struct {
  double sigma_x, sigma_y;
  int kernel_size;
} blurs[] = {
  { 0.0, 0.0, 0 },    { 0.5, 0.5, 0 },       { 3.0, 1.0, 0 },       { 0.0, 4.0, 0 },
  { 20.0, 9.0, 201 }, { 300.0, 40.0, 999 },  { 40.0, 40.0, 0 },     { 6.0, 0.0, 0 },
  { 2.0, 300.0, 0 },  { 1000.0, 1000.0, 0 }, { 5000.0, 5000.0, 0 }, { 5000.0, 4000.0, KERNEL_MAX },
};

TEST (test_ways, "/preview/ways")
{
  for (int n = 0; n < (int) G_N_ELEMENTS (blurs) * 4; n++)
    {
      const int i = n / 4;
      const BlurParams p = { .sigma_x = blurs[i].sigma_x,
                             .sigma_y = blurs[i].sigma_y,
                             .kernel_size = blurs[i].kernel_size,
                             .abyss = n % 4 };
      g_auto (Subject) s = { 0 };
      FxView v = { n % 3 ? 1.0 : 0.4 };

      if (p.kernel_size == KERNEL_MAX)
        subject_init (&s, tested_engine (), subject_rgba8, FALSE, 41, 33);
      else
        subject_init (&s, tested_engine (), subject_rgba8, FALSE, 131, 117);
      v.rect = subject_get_rect (&s, v.scale);
      check_view (&s, &p, &v);
    }
}

/* The image enlarged along both axes, along one, by little and by what the blur reaches. */
TEST (test_grown, "/preview/grown")
{
  static const int extended[][2] = { { 10, 10 }, { 0, 12 }, { 9, 0 }, { 1, 60 } };

  for (int n = 0; n < (int) G_N_ELEMENTS (blurs) * 4; n++)
    {
      const int i = n / 4;
      const BlurParams p = { .sigma_x = blurs[i].sigma_x,
                             .sigma_y = blurs[i].sigma_y,
                             .kernel_size = blurs[i].kernel_size,
                             .abyss = FX_ABYSS_NONE };
      g_auto (Subject) s = { 0 };
      FxView v = { n % 3 ? 1.0 : 0.37, { 0 }, extended[n % 4][0], extended[n % 4][1] };

      subject_init (&s, tested_engine (),
                    i % 2 ? subject_rgba8 : (FxFormat) { FX_SAMPLE_FLOAT, 2, FALSE }, FALSE,
                    p.kernel_size == KERNEL_MAX ? 23 : 61, 47);
      if (i % 3 == 0)
        subject_mask (&s, 20.0);
      v.rect = subject_get_whole (&s, v.scale, v.grow_x, v.grow_y);
      check_view (&s, &p, &v);
    }
}

/* Sets the least limit of memory, of some, with which the view is not refused. */
static void
set_least_limit (Subject *s, const BlurParams *p, const FxView *v)
{
  g_autofree guint8 *rgba = g_malloc ((gsize) v->rect.width * v->rect.height * 4);
  gboolean done = FALSE;

  for (double limit = 80e3; ! done; limit *= 1.2)
    {
      g_autofree char *text = g_strdup_printf ("%.0f", limit);

      g_assert_cmpfloat (limit, <, 1e7);
      g_setenv ("CUDA_BLUR_MEMORY_LIMIT", text, TRUE);
      done = run_view (s->preview, p, tested_device (), v, rgba, NULL, NULL, NULL, NULL);
    }
}

/* A large image on the GPU: some rows of the view at a time, with each path. */
TEST (test_chunks, "/preview/chunks")
{
  for (gsize i = 0; i < G_N_ELEMENTS (blurs); i++)
    for (int n = 0; n < 3; n++)
      {
        const BlurParams p = { .sigma_x = blurs[i].sigma_x / 10.0,
                               .sigma_y = blurs[i].sigma_y / 10.0,
                               .kernel_size = MIN (blurs[i].kernel_size, 121),
                               .abyss = n ? FX_ABYSS_NONE : FX_ABYSS_CLAMP };
        g_auto (Subject) s = { 0 };
        FxView v = { (double[]) { 0.3, 0.7, 1.0 }[n], { 0 }, n * 3, n * 2 };

        subject_init (&s, tested_engine (), subject_rgba8, FALSE, 60, 300);
        v.rect = subject_get_whole (&s, v.scale, v.grow_x, v.grow_y);
        v.rect.height = MIN (v.rect.height, 250);
        set_least_limit (&s, &p, &v);
        check_view (&s, &p, &v);
        g_unsetenv ("CUDA_BLUR_MEMORY_LIMIT");
      }
}
