/* cuda:gaussian-blur in GEGL's graphs, by the blur's contract (blur.h), on one device.
 *
 * GLib's tests take every warning for a failure: none may come from the operation. */
#include "session.h"
#include "suites.h"
#include "tested.h"

static void
add (void)
{
  session_start ();
  add_formats ();
  add_spaces ();
  add_regions ();
  add_planes ();
  add_params ();
  add_changes ();
  add_graphs ();
  add_threads ();
  add_lasting ();
  add_nonfinite ();
}

int
main (int argc, char **argv)
{
  int status = tested_main (argc, argv, add);

  if (status != 77)
    session_end ();
  return status;
}
