/* The Gaussian's contract (blur.h), on one device.
 *
 * In the manner of dav1d's checkasm: random and extreme images in every format against a plain
 * reference. A mismatch prints the case with its seed and the worst place; the same
 * CUDA_BLUR_TEST_SEED with -p and the test's path repeats it, and -m slow searches longer. */
#include "tested.h"

int
main (int argc, char **argv)
{
  return tested_main (argc, argv, NULL);
}
