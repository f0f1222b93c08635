/* NVRTC, found at run time: source -> machine code. Needs no GPU. */
#ifndef FX_COMPILER_H
#define FX_COMPILER_H

#include "target.h"

G_BEGIN_DECLS

/* NVRTC, opened. Threads may share it. */
typedef struct FxCompiler FxCompiler;

/* Opens the newest NVRTC on this machine. major: the highest major version wanted, that of the
 * driver's CUDA, since a driver does not load what a newer compiler made; 0 for any. NULL with
 * FX_ERROR_UNAVAILABLE. */
FxCompiler *fx_compiler_open (int major, GError **error);
void fx_compiler_close (FxCompiler *compiler); /* NULL is legal */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FxCompiler, fx_compiler_close)

/* "13.0". Owned by the compiler. */
const char *fx_compiler_get_version (const FxCompiler *compiler);

/* What tells it from any other NVRTC, of the same version too. Owned by the compiler. */
const char *fx_compiler_get_identity (const FxCompiler *compiler);

/* The architectures it compiles for, ascending; n: how many. Owned by the compiler. */
const int *fx_compiler_get_archs (const FxCompiler *compiler, int *n);

/* What a source may include: n texts by their names. */
typedef struct {
  int n;
  const char *const *names, *const *texts;
} FxHeaders;

/* NULL with FX_ERROR_DEVICE and the compiler's log. */
GBytes *fx_compiler_compile (FxCompiler *compiler, const char *source, const FxTarget *target,
                             const FxHeaders *headers, GError **error);

G_END_DECLS

#endif
