#include "shared.h"

#include "kernels/args.h"

#define RESERVED 1024 /* bytes per block that some devices reserve on a multiprocessor */

gsize
fx_shared_get_table (const FxCodec *codec)
{
  return codec->format.sample == FX_SAMPLE_U8 && codec->curve != FX_CURVE_NONE
           ? FX_COLOR_TABLE * sizeof (float)
           : 0;
}

gsize
fx_shared_get_half (const FxProgramCase *what)
{
  return MIN (what->shared_block, what->shared_processor / 2 - RESERVED);
}
