/* The tiles of a GPU's Fourier transforms and the errors that they allow, by themselves. Needs
 * neither a GPU nor NVRTC. */
#include "gpu-fft-error.h"
#include "matrices.h"
#include "test.h"
#include "whole-strip.h"

static gsize
get_tile_size (const ConvolvePlan *plan, const FxStrip *strip, gboolean *whole)
{
  const ConvolveGpuFftTile tile = convolve_strategy_choose_tile (plan, strip);

  *whole = tile.step_x >= strip->x1 - strip->x0 && tile.step_y >= strip->y1 - strip->y0;
  if (strip->x0 > 0)
    g_assert_cmpint (tile.step_x, ==, tile.columns - plan->matrix.columns + 1);
  if (strip->y0 > 0)
    g_assert_cmpint (tile.step_y, ==, tile.rows - plan->matrix.rows + 1);
  return (gsize) tile.columns * tile.rows;
}

/* A picture under a large matrix is one tile, which is smaller if margins are shared. */
TEST (test_tiles, "/tiles/shared-margins")
{
  enum { SIZE = 1023 };
  static const FxFormat format = { FX_SAMPLE_FLOAT, 4, FALSE };
  const FxStrip all = whole_strip (3840, 2160, 4096);
  FxStrip part = all;
  g_autofree double *values = matrix_make (MATRIX_POSITIVE, SIZE, SIZE);
  ConvolveParams params = { .rows = SIZE, .columns = SIZE, .values = values };
  gsize sizes[2], part_size;
  gboolean whole;

  part.x0 = part.y0 = 8;
  for (int n = 0; n < 2; n++)
    {
      g_autoptr (FxPlan) plan = NULL;

      params.abyss = n ? FX_ABYSS_NONE : FX_ABYSS_CLAMP;
      plan = convolve_plan_new (&params, &format, NULL);
      sizes[n] = get_tile_size (convolve_plan_get (plan), &all, &whole);
      g_assert_true (whole);
      part_size = get_tile_size (convolve_plan_get (plan), &part, &whole);
      g_assert_true (whole);
      g_assert_cmpuint (part_size, ==, sizes[0]);
    }
  g_assert_cmpuint (sizes[1], <, sizes[0]);
}

/* A sum whose taps are not compiled in goes through the whole box, so a line across it is cheaper
 * to transform. */
TEST (test_sparse, "/tiles/sparse")
{
  enum { SIZE = 51 };
  static const FxFormat format = { FX_SAMPLE_FLOAT, 4, FALSE };
  const ConvolveOwner owner = { .name = "owner", .threshold = 0.5 };
  double values[SIZE * SIZE] = { 0.0 };
  const ConvolveParams params = { .rows = SIZE, .columns = SIZE, .values = values };
  g_autoptr (FxPlan) own = NULL, owned = NULL;

  for (int i = 0; i < SIZE; i++)
    values[i * SIZE + i] = 1.0;
  own = convolve_plan_new (&params, &format, NULL);
  owned = convolve_plan_new_for (&owner, &params, &format, NULL);
  g_assert_cmpint (convolve_plan_get (own)->strategy.gpu.path, ==, CONVOLVE_PATH_TAPS);
  g_assert_cmpint (convolve_plan_get (owned)->strategy.gpu.path, ==, CONVOLVE_PATH_FFT);
}

/* More may be wrong in a view, unless the curve shows it: a pure gamma does so in the dark. */
TEST (test_shown, "/tiles/errors")
{
  const ConvolveParams params = { .rows = 1, .columns = 1, .values = (const double[]) { 1.0 } };

  for (int n = 0; n < 2; n++)
    {
      const FxFormat format = { FX_SAMPLE_FLOAT, 4, FALSE, { n * 2.2f, n } };
      g_autoptr (FxPlan) plan = convolve_plan_new (&params, &format, NULL);
      const ConvolvePlan *own = convolve_plan_get (plan);
      const ConvolveGpuFftTile *tile = &own->strategy.gpu.tile;
      const float stored = convolve_gpu_fft_get_errors (own, tile, FALSE).allowed;
      const float shown = convolve_gpu_fft_get_errors (own, tile, TRUE).allowed;

      g_assert_true (n ? shown == stored : shown > stored && 12.92 * shown <= 0.5 / 255.0);
    }
}
