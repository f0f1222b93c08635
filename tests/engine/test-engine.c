/* What the engine promises whatever the filter (blur.h), on one device. */
#include "tested.h"

int
main (int argc, char **argv)
{
  return tested_main (argc, argv, NULL);
}
