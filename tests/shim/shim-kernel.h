/* Programs with the CPU as their device. What NVRTC would get, the host's C++ compiler gets, once,
 * and keeps the result in SHIM_CACHE_DIR. */
#ifndef SHIM_KERNEL_H
#define SHIM_KERNEL_H

#include "driver-limits.h"
#include "team.h"

G_BEGIN_DECLS

typedef struct ShimKernel ShimKernel;

/* The path of what source is compiled to, which may include n texts by their names; free it with
 * g_free. NULL with the compiler's words. */
char *shim_compile (const char *source, int n, const char *const *names, const char *const *texts,
                    GError **error);

ShimKernel *shim_kernel_open (const char *path);
void shim_kernel_free (ShimKernel *kernel);

/* What its launches are held to. Of its registers nothing is known, nor of its launch bounds. */
LimitsKernel *shim_kernel_get_limits (ShimKernel *kernel);

typedef struct {
  unsigned x, y, threads; /* blocks; threads of each */
  gsize shared;           /* bytes a block, beside what the kernel has of its own */
} ShimLaunch;

/* Whether the addresses among its arguments are multiples of what their types ask for. */
gboolean shim_kernel_is_aligned (const ShimKernel *kernel, void **args);

/* Runs it to its end. args: a pointer to each of its arguments. */
void shim_kernel_launch (ShimKernel *kernel, FxTeam *team, const ShimLaunch *launch, void **args);

G_END_DECLS

#endif
