/* Every size: of images, of sigma and of the kernel. */
#include "check.h"
#include "tested.h"

TEST (test_sizes, "/blur/sizes")
{
  static const int sizes[][2] = {
    { 1, 1 },   { 1, 2 },     { 2, 1 },     { 1, 131 }, { 131, 1 }, { 3, 3 },     { 5, 7 },
    { 127, 2 }, { 128, 128 }, { 129, 127 }, { 257, 3 }, { 3, 257 }, { 131, 259 }, { 259, 131 },
  };
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (guint f = 0; f < CASE_FORMATS; f++, n++)
      {
        const double sigma = (n + f) % 2 ? 0.5 : 4.0;
        const Case c = case_make (n, f, sizes[i][0], sizes[i][1], sigma, sigma);

        check_case (&c);
      }
}

TEST (test_sigmas, "/blur/sigmas")
{
  static const double sigmas[][2] = {
    { 0.2, 0.2 }, { 0.25, 0.25 }, { 0.5, 0.5 }, { 0.8, 0.8 },  { 1, 1 },      { 1.7, 1.7 },
    { 2, 2 },     { 3, 3 },       { 5, 5 },     { 5.6, 5.6 },  { 8, 8 },      { 12, 12 },
    { 17, 17 },   { 25, 25 },     { 50, 50 },   { 100, 100 },  { 250, 250 },  { 1000, 1000 },
    { 0, 3 },     { 3, 0 },       { 0.19, 2 },  { 2, 0.1999 }, { 12, 0.5 },   { 0.5, 12 },
    { 0, 1000 },  { 300, 1 },     { 1, 300 },   { 5000, 0 },   { 0.3, 5000 },
  };
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (sigmas); i++)
    for (guint f = 0; f < CASE_FORMATS; f++, n++)
      {
        const gboolean large = MAX (sigmas[i][0], sigmas[i][1]) > 60.0;
        const Case c = case_make (n, f, large ? 61 : 131, large ? 43 : 97, sigmas[i][0],
                                  sigmas[i][1]);

        check_case (&c);
      }
}

TEST (test_kernels, "/blur/kernels")
{
  static const int sizes[] = { 1, 3, 7, 61, 255, 9999 };
  static const double sigmas[][2] = { { 0.3, 0.3 }, { 2, 2 }, { 10, 1 }, { 0, 40 }, { 700, 700 } };
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (guint s = 0; s < G_N_ELEMENTS (sigmas); s++)
      for (guint f = (i + s) % 2; f < CASE_FORMATS; f += 2, n++)
        {
          const gboolean large = sizes[i] > 1000;
          Case c = case_make (n, f, large ? 23 : 61, large ? 19 : 43, sigmas[s][0], sigmas[s][1]);

          c.params.kernel_size = sizes[i];
          check_case (&c);
        }
}

/* Radii at which a kernel's tile comes to the limits of shared memory, on small devices most of
 * all. */
TEST (test_tiles, "/blur/tiles")
{
  static const int radii[] = { 16, 17, 20, 21, 38, 41, 45, 48, 49 };
  static const struct {
    FxFormat format;
    FxLight light;
    double sigma;
  } formats[] = {
    { { FX_SAMPLE_U8, 3, TRUE }, FX_LIGHT_LINEAR, 0.0 }, /* which has a table as well */
    { { FX_SAMPLE_U8, 4, TRUE }, FX_LIGHT_LINEAR, 0.0 },
    { { FX_SAMPLE_FLOAT, 3, FALSE }, FX_LIGHT_LINEAR, 0.0 },
    { { FX_SAMPLE_HALF, 3, TRUE }, FX_LIGHT_LINEAR, 15.9 }, /* the longest FIR of a grid */
    { { FX_SAMPLE_U8, 1, TRUE }, FX_LIGHT_PERCEPTUAL, 0.0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (radii); i++)
    for (guint f = 0; f < G_N_ELEMENTS (formats); f++)
      {
        double sigma = formats[f].sigma > 0.0 ? formats[f].sigma - 0.1 * i : radii[i] / 3.0;
        Case c = case_make (i + f, 0, 150, 60, sigma, sigma);

        c.format = formats[f].format;
        c.params.light = formats[f].light;
        c.params.kernel_size = formats[f].sigma > 0.0 ? 0 : 2 * radii[i] + 1;
        check_case (&c);
      }
}
