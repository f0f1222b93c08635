/* What to compile for. */
#ifndef FX_TARGET_H
#define FX_TARGET_H

#include <glib.h>

G_BEGIN_DECLS

/* What to compile for. arch: compute capability as NVRTC writes it, 90 for 9.0. */
typedef struct {
  int arch;
  gboolean ptx; /* PTX, which the driver compiles when it loads it; else a CUBIN */
} FxTarget;

/* Picks what to compile for, on a device of compute capability arch, by a compiler that knows the n
 * archs, ascending: the device's own, else the largest below it of the same major version, else (a
 * device newer than the compiler) PTX for the largest. want_ptx: PTX in any case. version: the
 * compiler's, for the message. FALSE with FX_ERROR_UNAVAILABLE where the device is older than all
 * of them. */
gboolean fx_target_choose (const int *archs, int n, const char *version, int arch,
                           gboolean want_ptx, FxTarget *target, GError **error);

/* What NVRTC is told for it, ended by NULL. Free it with g_strfreev. */
char **fx_target_get_options (const FxTarget *target);

G_END_DECLS

#endif
