/* The Gaussian's contract (blur.h), on one device.
 *
 * In the manner of dav1d's checkasm: random and extreme images in every format against a plain
 * reference. A mismatch prints the case with its seed and the worst place; the same
 * CUDA_BLUR_TEST_SEED with -p and the test's path repeats it, and -m slow searches longer. */
#include "suites.h"
#include "tested.h"

static void
add (void)
{
  add_reference ();
  add_formats ();
  add_sizes ();
  add_regions ();
  add_nonfinite ();
  add_params ();
  add_random ();
  add_straight ();
  add_curves ();
}

int
main (int argc, char **argv)
{
  return tested_main (argc, argv, add);
}
