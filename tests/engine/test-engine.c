/* The engine's contract for every filter, on one device; the blur serves as the filter. */
#include "tested.h"

int
main (int argc, char **argv)
{
  return tested_main (argc, argv);
}
