#include "shared.h"

#include "kernels/args.h"

#define RESERVED 1024 /* bytes per block that some devices reserve on a multiprocessor */

gsize
fx_shared_get_table (const FxCodec *codec)
{
  gboolean curved = codec->format.sample == FX_SAMPLE_U8 && codec->curve != FX_CURVE_NONE;

  return (curved ? FX_COLOR_TABLE * sizeof (float) : 0) +
         (fx_codec_has_highlights (codec) ? sizeof (FxHighlights) : 0);
}

gsize
fx_shared_get_half (const FxProgramCase *program_case)
{
  return MIN (program_case->shared_block, program_case->shared_processor / 2 - RESERVED);
}
