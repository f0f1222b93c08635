/* Curves of sRGB and of other colour spaces. */
#pragma once

#include "format.h"

typedef enum {
  TRC_SRGB,
  TRC_GAMMA_22, /* close to Adobe RGB */
  TRC_GAMMA_18,
  TRC_REC_709, /* with the standard's three decimals: its parts do not quite meet */
  TRC_OFFSET,  /* black and white are neither 0 nor 1 */
  TRC_PQ,      /* the first of the tables: SMPTE ST 2084, with 1 as 10,000 cd/m2 */
  TRC_HLG,     /* ITU-R BT.2100, without the system's gamma */
  TRC_GRAY,    /* in 97 steps, with runs of equal entries; flat below 0 and above 1 */
  TRCS,
} TrcName;

extern FxTrc trcs[TRCS]; /* constant once the program has started */
extern const char *const trc_names[TRCS];
