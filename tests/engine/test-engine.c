/* What the engine promises whatever the filter (blur.h), on one device. */
#include "suites.h"
#include "tested.h"

static void
add (void)
{
  add_arguments ();
  add_callbacks ();
  add_devices ();
  add_resident_source ();
  add_limits ();
  add_threads ();
}

int
main (int argc, char **argv)
{
  return tested_main (argc, argv, add);
}
