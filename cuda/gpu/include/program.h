/* A program: its text, its key in the cache, its machine code. Needs no GPU.
 *
 * A program is compiled for a plan's sample format, curve and abyss policy, as far as its kernel
 * depends on them. It takes weights at run time and serves every sigma, but for a specialised one.
 */
#ifndef FX_PROGRAM_H
#define FX_PROGRAM_H

#include "cache.h"
#include "compiler.h"
#include "plan.h"

G_BEGIN_DECLS

/* The one kernel of every program. */
#define FX_PROGRAM_KERNEL "kernel"

/* By the file in kernels/. */
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
