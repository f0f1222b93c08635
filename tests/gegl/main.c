/* The main function of programs that test an operation in GEGL's graphs, on one device.
 *
 * GLib's tests take every warning for a failure: none may come from the operation. */
#include "session.h"
#include "tested.h"

int
main (int argc, char **argv)
{
  int status = tested_main (argc, argv, session_start);

  if (status != 77)
    session_end ();
  return status;
}
