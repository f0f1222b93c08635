/* FIRs, for each kind of vector unit. */
#include "fir.h"

#include "rows.h"
#include "vector.h"

#define PLACES 4
#define SLAB   128 /* taps summed separately, which bounds the rounding error of long kernels */

#define LANES 4
#define PARTS 2
#define TARGET
#define NAME(name) name##_plain
#include "fir-lanes.h"

#ifdef FX_AVX2
#define LANES      8
#define PARTS      2
#define TARGET     FX_AVX2
#define NAME(name) name##_avx2
#include "fir-lanes.h"

#define LANES      16
#define PARTS      4
#define TARGET     FX_AVX512
#define NAME(name) name##_avx512
#include "fir-lanes.h"
#endif

const FxFir *
fx_fir_get (FxVectorUnit unit)
{
  static const FxFir firs[] = {
    { column_convolve_plain, row_convolve_plain },
#ifdef FX_AVX2
    { column_convolve_avx2, row_convolve_avx2 },
    { column_convolve_avx512, row_convolve_avx512 },
#endif
  };

  return &firs[unit];
}

void
fx_column_convolve (const float (*in)[FX_COLUMN], const float *weights, int taps, int count,
                    float *out, gsize pitch)
{
  fx_fir_get (fx_vector_get_unit ())->convolve_column (in, weights, taps, count, out, pitch);
}

void
fx_row_convolve (const float *in, int step, const float *weights, int taps, gsize n, float *out,
                 gsize pitch)
{
  fx_fir_get (fx_vector_get_unit ())->convolve_row (in, step, weights, taps, n, out, pitch);
}
