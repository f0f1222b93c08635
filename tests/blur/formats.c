/* Every format of pixels. */
#include "check.h"
#include "pairs.h"
#include "tested.h"

/* One sample type in every format, sigma and abyss, chosen pairwise with the other sample types',
 * on every image: the GPU compiles programs for each row. */
static void
test_format (gconstpointer data)
{
  static const double sigmas[] = { 0.7, 1.5, 3.3, 6.0, 10.0 };
  static const int sizes[][2] = { { 67, 49 }, { 131, 37 }, { 33, 130 } };
  /* The numbers of samples, channels, gammas, lights, abysses and sigmas. */
  static const int factors[] = { FX_SAMPLE_DOUBLE + 1, 4, 2, 2, 4, G_N_ELEMENTS (sigmas) };
  const FxSample sample = GPOINTER_TO_INT (data);
  const int kinds = case_is_integer (sample) ? IMAGE_HDR : IMAGE_KINDS;
  g_autoptr (GArray) rows = pairs_new (factors, G_N_ELEMENTS (factors));

  for (guint i = 0; i < rows->len; i++)
    for (int kind = 0; kind < kinds; kind++)
      {
        const int *v = g_array_index (rows, PairsRow, i).values;
        const Case c = {
          .seed = g_test_rand_int (),
          .kind = kind,
          .format = { sample, v[1] + 1, v[2] },
          .width = sizes[kind % 3][0],
          .height = sizes[kind % 3][1],
          .params = { .sigma_x = sigmas[v[5]],
                      .sigma_y = sigmas[v[5]],
                      .abyss = v[4],
                      .light = v[3] },
          .device = tested_device (),
        };

        if (v[0] == (int) sample)
          check_case (&c);
      }
}

/* Dark next to bright in linear light, far from the edge: what an early cut of the kernel costs. */
TEST (test_tails, "/blur/tails")
{
  static const ImageKind kinds[] = { IMAGE_EDGE, IMAGE_DARK_EDGE, IMAGE_FAINT_EDGE,
                                     IMAGE_HDR_EDGE };
  const double sigma = 14.0;

  for (int sample = 0; sample <= FX_SAMPLE_DOUBLE; sample++)
    for (int i = 0; i < 16; i++)
      {
        const Case c = {
          .seed = g_test_rand_int (),
          .kind = case_is_integer (sample) && i % 4 == 3 ? IMAGE_RANDOM : kinds[i % 4],
          .format = { sample, 1 + i / 4 % 2, TRUE },
          .width = i / 8 ? 260 : 9,
          .height = i / 8 ? 9 : 260,
          .params = { .sigma_x = i / 8 ? sigma : 0.0,
                      .sigma_y = i / 8 ? 0.0 : sigma,
                      .light = FX_LIGHT_LINEAR },
          .device = tested_device (),
        };

        check_case (&c);
      }
}

TESTS (add_formats)
{
  for (int i = 0; i <= FX_SAMPLE_DOUBLE; i++)
    {
      g_autofree char *path = g_strconcat ("/blur/format/", case_sample_names[i], NULL);

      g_test_add_data_func (path, GINT_TO_POINTER (i), test_format);
    }
}
