/* Compiles a function for the vector units of several generations of x86 and picks at run time. */
#ifndef FX_VECTOR_H
#define FX_VECTOR_H

/* By what the processor can do: a clone for a named model, such as arch=haswell, runs on that model
 * and on no later one. The choice is made by the loader (ifunc), before a sanitizer's run-time is
 * ready for it; clang gives the function another name, which other files do not find. */
#if ! defined(__x86_64__) || ! defined(__gnu_linux__) || defined(__SANITIZE_ADDRESS__) || \
  defined(__SANITIZE_THREAD__) || defined(__clang__)
#define FX_VECTORISED
#elif __GNUC__ >= 12
#define FX_VECTORISED \
  __attribute__ ((target_clones ("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else /* knows no levels */
#define FX_VECTORISED __attribute__ ((target_clones ("avx512f", "avx2", "default")))
#endif

/* Part of each clone that calls it, and compiled as that is. */
#define FX_INLINE inline __attribute__ ((always_inline))

#endif
