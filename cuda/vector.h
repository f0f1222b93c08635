/* Compiles a function for the vector units of several generations of x86 and picks at run time. */
#ifndef BLUR_VECTOR_H
#define BLUR_VECTOR_H

/* The choice is made by the loader (ifunc), before a sanitizer's run-time is ready for it. */
#if defined(__x86_64__) && defined(__gnu_linux__) && ! defined(__SANITIZE_ADDRESS__)
#define BLUR_VECTORISED \
  __attribute__ ((target_clones ("arch=skylake-avx512", "arch=haswell", "default")))
#else
#define BLUR_VECTORISED
#endif

#endif
