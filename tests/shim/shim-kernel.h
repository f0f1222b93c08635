/* Programs that run on the CPU. The host's C++ compiler compiles the source that NVRTC would get,
 * once; the results are cached in SHIM_CACHE_DIR. In a build with sanitizers, kernels have them
 * too, except with SHIM_KERNELS=plain in the environment. */
#pragma once

#include "team.h"

typedef struct ShimKernel ShimKernel;

/* Compiles source, which may include n texts by their names, unless that was done before. Returns
 * the path of the compiled file; free it with g_free. Returns NULL with the compiler's messages on
 * failure. */
char *shim_compile (const char *source, int n, const char *const *names, const char *const *texts,
                    GError **error);

ShimKernel *shim_kernel_open (const char *path);
void shim_kernel_free (ShimKernel *kernel);

/* Returns the bytes of its static shared memory. Its registers and launch bounds are unknown. */
int shim_kernel_get_static (const ShimKernel *kernel);

/* Returns the program's variable of this name. */
gpointer shim_kernel_get_global (ShimKernel *kernel, const char *name);

typedef struct {
  unsigned x, y, threads; /* blocks along x and y; threads per block */
  gsize shared;           /* bytes per block, in addition to the kernel's static ones */
} ShimLaunch;

/* Returns whether the addresses in its arguments are aligned for their types. */
gboolean shim_kernel_is_aligned (const ShimKernel *kernel, void **args);

/* Runs the kernel and waits for its end. args has a pointer to each of its arguments. */
void shim_kernel_launch (ShimKernel *kernel, FxTeam *team, const ShimLaunch *launch, void **args);
