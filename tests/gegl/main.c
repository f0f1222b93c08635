/* The main function of programs that test an operation in GEGL's graphs, on one device. GEGL starts
 * first, because an engine that looks for NVRTC has GLib remember the user's data folder.
 *
 * GLib's tests take every warning for a failure: none may come from the operation. */
#include "session.h"
#include "tested.h"

int
main (int argc, char **argv)
{
  int status;

  session_start ();
  status = tested_main (argc, argv);
  session_end ();
  return status;
}
