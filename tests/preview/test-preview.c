/* Views of a resident image (preview.h), on one device.
 *
 * A view is compared with one that is made here in double precision, straight from what preview.h
 * says, of the whole image as the engine's CPU blurs it. Tolerance, in levels of 255 from the
 * unrounded value: half a level, for that is rounded once, 0.02 for single precision, and what
 * comes of the leeway that each of its pixels has before it is averaged:
 *   - The blur is stored in the image's format. Where its unrounded value lies next to a tie, by no
 *     more than single precision can tell, two devices may round it apart, by a step of the format.
 *   - What is mixed under a mask is stored in it too on the CPU, as GIMP does, but not on the GPU:
 *     half a step.
 * Let a pixel's colour be c, in linear light, its alpha a, their leeways dc and da. Premultiplied
 * colour is off by a dc + c da. Averaged with its neighbours to colour C, alpha A, straight colour
 * L = C / A, the view is off by
 *     (C' + L A') / A, where C' and A' are the averages of these,
 * so a faint pixel magnifies both: at A = 0.19, in a mask's soft edge and of noise, half a step of
 * 8 bits in alpha alone can be more than one level. */
#include "tested.h"

int
main (int argc, char **argv)
{
  return tested_main (argc, argv, NULL);
}
