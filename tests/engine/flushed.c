/* Threads that take denormals for 0, as GEGL's do, and threads that do not. */
#include "convolve.h"
#include "noise.h"
#include "tested.h"

#ifdef __SSE2__
#include <pmmintrin.h>
#include <xmmintrin.h>

/* Makes the plan of a matrix whose only value that is not denormal is in its centre. */
static FxPlan *
make_plan (const FxFormat *format, guint denormals)
{
  double values[25];
  const ConvolveParams params = { .rows = 5, .columns = 5, .values = values, .divisor = 1.0 };
  guint mode = _MM_GET_DENORMALS_ZERO_MODE ();
  g_autoptr (GError) error = NULL;
  FxPlan *plan;

  for (int i = 0; i < 25; i++)
    values[i] = i == 12 ? 0.5 : 1e-40;
  _MM_SET_DENORMALS_ZERO_MODE (denormals);
  plan = convolve_plan_new (&params, format, &error);
  _MM_SET_DENORMALS_ZERO_MODE (mode);
  g_assert_no_error (error);
  return plan;
}

/* A plan that was made on a thread of one kind runs on one of the other. */
TEST (test_flushed, "/engine/threads/denormals")
{
  static const guint modes[] = { _MM_DENORMALS_ZERO_OFF, _MM_DENORMALS_ZERO_ON };
  g_autoptr (Noise) noise = noise_new (100, 80);
  g_autoptr (Noise) other = noise_copy (noise);
  Noise *const images[] = { noise, other };

  for (int i = 0; i < 2; i++)
    {
      g_autoptr (FxPlan) plan = make_plan (&noise->memory.format, modes[i]);
      FxImage image = memory_get_image (&images[i]->memory);
      g_autoptr (GError) error = NULL;

      fx_engine_run (tested_engine (), plan, tested_device (), &image, NULL, &error);
      g_assert_no_error (error);
    }
  noise_check_same (noise, other);
}
#endif
