/* Compilation targets. */
#pragma once

#include <glib.h>

/* A compilation target. arch is a compute capability as NVRTC writes it, 90 for 9.0. */
typedef struct {
  int arch;
  gboolean ptx; /* PTX, which the driver compiles when it loads it; FALSE: a CUBIN */
} FxTarget;

/* Chooses the target for a device of compute capability arch and a compiler that supports n archs,
 * in ascending order: the device's own; otherwise the largest below it of the same major version;
 * otherwise, for a device newer than the compiler, PTX for the largest. want_ptx requests PTX in
 * any case. version is the compiler's, for the message. Returns FALSE with FX_ERROR_UNAVAILABLE if
 * the device is older than all archs. */
gboolean fx_target_choose (const int *archs, int n, const char *version, int arch,
                           gboolean want_ptx, FxTarget *target, GError **error);

/* Returns NVRTC's options for target, NULL-terminated. Free them with g_strfreev. */
char **fx_target_get_options (const FxTarget *target);
