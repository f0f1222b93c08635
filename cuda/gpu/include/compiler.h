/* NVRTC, located at run time: compiles source to machine code. Needs no GPU. */
#pragma once

#include "target.h"

/* An open NVRTC. Threads may share it. */
typedef struct FxCompiler FxCompiler;

/* Opens the newest NVRTC on this computer. major is the highest acceptable major version, 0 for
 * any: the driver's CUDA version, because a driver does not load the output of a newer compiler.
 * Returns NULL with FX_ERROR_UNAVAILABLE if there is none. */
FxCompiler *fx_compiler_open (int major, GError **error);
void fx_compiler_close (FxCompiler *compiler); /* NULL is legal */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FxCompiler, fx_compiler_close)

/* Returns the version, such as "13.0". compiler owns it. */
const char *fx_compiler_get_version (const FxCompiler *compiler);

/* Returns a string, owned by compiler, that distinguishes this NVRTC from every other, even one
 * with the same version. */
const char *fx_compiler_get_identity (const FxCompiler *compiler);

/* Returns the n architectures that it compiles for, in ascending order. compiler owns them. */
const int *fx_compiler_get_archs (const FxCompiler *compiler, int *n);

/* The headers that a source may include: the name and the text of each, as strings. */
typedef struct {
  GPtrArray *names, *texts;
} FxHeaders;

/* Compiles source for target. May be called from any thread. Free the result with g_bytes_unref. On
 * failure returns NULL with FX_ERROR_DEVICE, or FX_ERROR_UNAVAILABLE if a part of NVRTC is missing;
 * the message contains the compiler's log. */
GBytes *fx_compiler_compile (FxCompiler *compiler, const char *source, const FxTarget *target,
                             const FxHeaders *headers, GError **error);
