/* What kernels that sum pixels with weights share. This needs pixel.cuh before it. */

/* These read and write a pixel at once: as members of a struct, its floats would be read one by
 * one. */
__device__ static inline pixel_t
load (const pixel_t *place)
{
#if CHANNELS == 4
  const float4 all = *(const float4 *) place;

  return pixel_t { { all.x, all.y, all.z, all.w } };
#else
  return *place;
#endif
}

__device__ static inline void
store (const pixel_t &pixel, pixel_t *place)
{
#if CHANNELS == 4
  *(float4 *) place = float4 { pixel.v[0], pixel.v[1], pixel.v[2], pixel.v[3] };
#else
  *place = pixel;
#endif
}

__device__ static inline void
add (const pixel_t &pixel, float weight, pixel_t &sum)
{
#pragma unroll
  for (int c = 0; c < CHANNELS; c++)
    sum.v[c] += weight * pixel.v[c];
}

#ifdef __CUDACC__
/* 2 to the power of x; 0 below 2^-126, and off by 2 units in the last place. */
__device__ static inline float
raise (float x)
{
  float power;

  asm ("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x));
  return power;
}
#else
__device__ static inline float
raise (float x)
{
  return x > -126.0f ? exp2f (x) : 0.0f;
}
#endif
