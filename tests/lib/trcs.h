/* Curves of sRGB and of other colour spaces. */
#pragma once

#include "format.h"

typedef enum {
  TRC_SRGB,
  TRC_GAMMA_22, /* close to Adobe RGB */
  TRC_GAMMA_18,
  TRC_REC_709, /* with the standard's three decimals: its parts do not quite meet */
  TRC_OFFSET,  /* black and white are neither 0 nor 1 */
  TRCS,
} TrcName;

extern const FxTrc trcs[TRCS];
extern const char *const trc_names[TRCS];
