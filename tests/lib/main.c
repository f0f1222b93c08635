/* The main function of test programs that define none. */
#include "test.h"

int
main (int argc, char **argv)
{
  seed_test_init (&argc, &argv);
  return g_test_run ();
}
