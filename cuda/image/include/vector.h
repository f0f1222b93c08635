/* Compiles a function for several generations of x86 vector units; the best one is selected at run
 * time. */
#pragma once

/* The clones are selected by instruction set. A clone for a named model, such as arch=haswell, runs
 * on that model and on no later one. The loader selects the clone (ifunc), which happens before a
 * sanitizer's run-time is ready. clang renames the function, so that other files do not find it. */
#if ! defined(__x86_64__) || ! defined(__gnu_linux__) || defined(__SANITIZE_ADDRESS__) || \
  defined(__SANITIZE_THREAD__) || defined(__clang__)
#define FX_VECTORISED
#elif __GNUC__ >= 12
#define FX_VECTORISED \
  __attribute__ ((target_clones ("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else /* older compilers do not know the x86-64 levels */
#define FX_VECTORISED __attribute__ ((target_clones ("avx512f", "avx2", "default")))
#endif

/* Compile a function for one kind of vector unit, which fx_vector_get_unit must have returned, or a
 * later one. Use them where loops do not suffice: for vectors of a certain size, and for
 * instructions that compilers do not generate from loops. */
#ifdef __x86_64__
#define FX_AVX2   __attribute__ ((target ("avx2,fma")))
#define FX_AVX512 __attribute__ ((target ("avx2,fma,avx512f,avx512bw,avx512vl,avx512dq")))
#endif

/* The initialiser of an array by FxVectorUnit, of what is compiled for each and named after it. */
#ifdef __x86_64__
#define FX_OF_UNITS(name)                    \
  {                                          \
    name##_plain, name##_avx2, name##_avx512 \
  }
#else
#define FX_OF_UNITS(name) \
  {                       \
    name##_plain          \
  }
#endif

typedef enum { FX_VECTOR_PLAIN, FX_VECTOR_AVX2, FX_VECTOR_AVX512 } FxVectorUnit;

/* Returns this processor's best unit. */
static inline FxVectorUnit
fx_vector_get_unit (void)
{
#ifdef __x86_64__
  if (__builtin_cpu_supports ("avx512f") && __builtin_cpu_supports ("avx512bw") &&
      __builtin_cpu_supports ("avx512vl") && __builtin_cpu_supports ("avx512dq"))
    return FX_VECTOR_AVX512;
  if (__builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("fma"))
    return FX_VECTOR_AVX2;
#endif
  return FX_VECTOR_PLAIN;
}

/* Inlines a function into each clone that calls it, so that it is compiled for the same instruction
 * set. */
#define FX_INLINE inline __attribute__ ((always_inline))
