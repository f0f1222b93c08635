#include "bytes.h"

const FxBytesCoder *
fx_bytes_get_coder (FxVectorUnit unit)
{
#ifdef FX_AVX2
  if (unit == FX_VECTOR_AVX512)
    return &fx_bytes_avx512;
  if (unit == FX_VECTOR_AVX2)
    return &fx_bytes_avx2;
#endif
  return NULL;
}
