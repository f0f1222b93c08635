#include "trcs.h"

const FxTrc trcs[TRCS] = {
  { 0.0f },
  { .g = 2.2f, .a = 1.0f },
  { .g = 1.8f, .a = 1.0f },
  { .g = 1.0f / 0.45f, .a = 1.0f / 1.099f, .b = 0.099f / 1.099f, .c = 1.0f / 4.5f, .d = 0.081f },
  { .g = 2.4f, .a = 0.9f, .b = 0.1f, .c = 0.3f, .d = 0.1f, .e = 0.02f, .f = 0.008579f },
};

const char *const trc_names[TRCS] = { "sRGB", "gamma 2.2", "gamma 1.8", "Rec. 709", "offset" };
