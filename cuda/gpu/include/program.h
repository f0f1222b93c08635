/* Kernel source + constants -> NVRTC -> machine code. Needs no GPU.
 *
 * A program is compiled for a plan's sample format, curve and abyss policy, as far as its kernel
 * depends on them. It takes weights at run time and serves every sigma, but for a specialised one.
 */
#ifndef FX_PROGRAM_H
#define FX_PROGRAM_H

#include "cache.h"
#include "plan.h"

G_BEGIN_DECLS

/* What to compile for. arch: compute capability as NVRTC writes it, 90 for 9.0. */
typedef struct {
  int arch;
  gboolean ptx; /* PTX, which the driver compiles when it loads it; else a CUBIN */
} FxTarget;

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

/* Picks what to compile for, on a device of compute capability arch, by a compiler that knows the
 * n archs, ascending: the device's own, else the largest below it of the same major version, else
 * (a device newer than the compiler) PTX for the largest. want_ptx: PTX in any case. version: the
 * compiler's, for the message. FALSE with FX_ERROR_UNAVAILABLE where the device is older than all
 * of them. */
gboolean fx_target_choose (const int *archs, int n, const char *version, int arch,
                           gboolean want_ptx, FxTarget *target, GError **error);

/* Each is one kernel, "blur", of the file in kernels/. */
typedef enum {
  BLUR_PROGRAM_FIR,                /* fir.cu: kernel size and weights at run time */
  BLUR_PROGRAM_FIR_SPECIALISED,    /* fir.cu: compiled in */
  BLUR_PROGRAM_ROWS,               /* rows.cu */
  BLUR_PROGRAM_COLUMNS,            /* columns.cu */
  BLUR_PROGRAM_DECIMATE_SOURCE,    /* decimate-source.cu */
  BLUR_PROGRAM_DECIMATE_GRID,      /* decimate-grid.cu; of grids: for all integers or all floats */
  BLUR_PROGRAM_CONVOLVE_GRID,      /* convolve-grid.cu */
  BLUR_PROGRAM_INTERPOLATE_GRID,   /* interpolate-grid.cu */
  BLUR_PROGRAM_INTERPOLATE_RESULT, /* interpolate-result.cu */
  BLUR_PROGRAM_REDUCE,             /* reduce.cu; of the plan it takes the format alone */
  BLUR_PROGRAM_KINDS
} FxProgramKind;

/* The program's source: constants first, then the kernel. Two that are the same have the same text.
 * tile: columns of a block of kernels/convolve.cuh; unused by what does not include it. */
char *fx_program_get_source (const FxPlan *plan, FxProgramKind kind, int tile, gboolean grown);

/* The name that the cache has for what a compiler of that identity makes of source: a hash of all
 * that this depends on, the kernels' files and the compiler's options among them. */
char *fx_program_get_key (const char *compiler, const char *source, const FxTarget *target);

/* The program of source: from the cache, else compiled and put there. NULL with FX_ERROR_DEVICE and
 * the compiler's log. */
GBytes *fx_program_get (FxCompiler *compiler, FxCache *cache, const char *source,
                        const FxTarget *target, GError **error);

/* The program of source from the cache, or NULL. */
GBytes *fx_program_find (FxCompiler *compiler, FxCache *cache, const char *source,
                         const FxTarget *target);

/* Compiles source, with no cache. */
GBytes *fx_program_compile (FxCompiler *compiler, const char *source, const FxTarget *target,
                            GError **error);

G_END_DECLS

#endif
