/* Compiles a function for several generations of x86 vector units; the best one is selected at run
 * time. */
#ifndef FX_VECTOR_H
#define FX_VECTOR_H

/* The clones are selected by instruction set. A clone for a named model, such as arch=haswell, runs
 * on that model and on no later one. The loader selects the clone (ifunc), which happens before a
 * sanitizer's run-time is ready. clang gives the function another name, which other files do not
 * find. */
#if ! defined(__x86_64__) || ! defined(__gnu_linux__) || defined(__SANITIZE_ADDRESS__) || \
  defined(__SANITIZE_THREAD__) || defined(__clang__)
#define FX_VECTORISED
#elif __GNUC__ >= 12
#define FX_VECTORISED \
  __attribute__ ((target_clones ("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else /* does not know the x86-64 levels */
#define FX_VECTORISED __attribute__ ((target_clones ("avx512f", "avx2", "default")))
#endif

/* Inlines a function into each clone that calls it, so that it is compiled for the same instruction
 * set. */
#define FX_INLINE inline __attribute__ ((always_inline))

#endif
