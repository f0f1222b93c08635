/* A program: its source text, its key in the cache and its machine code. Needs no GPU.
 *
 * Each program is declared next to the path that launches it. Its text consists of constants and
 * its source file. A program depends on a plan and a device only through these constants. */
#pragma once

#include "cache.h"
#include "compiler.h"
#include "plan.h"

#include <gio/gio.h>

/* The one kernel of every program. */
#define FX_PROGRAM_KERNEL "kernel"

/* For a tone curve that is a table, the constant with the number of entries, and the variable with
 * the entries. */
#define FX_PROGRAM_TABLE   "TRC_TABLE"
#define FX_PROGRAM_ENTRIES "trc_entries"

/* The maximum number of programs per request. */
#define FX_PROGRAMS_MAX 8

/* The path of a folder's kernels in its resource. */
#define FX_PROGRAM_FILES "/org/gimp/cuda-blur/"

/* The case that a program is made for. */
typedef struct {
  FxCodec codec;          /* of the image */
  const FxPlan *plan;     /* NULL for a program that needs none */
  gconstpointer detail;   /* private to the plan's path; may be NULL */
  gsize shared_block;     /* bytes of shared memory per block on the device */
  gsize shared_processor; /* and per multiprocessor */
} FxProgramCase;

typedef struct {
  const char *name; /* unique among all programs */
  const char *file; /* contains the kernel */

  /* Returns the resource with the files that the program may include from its own folder, in
   * addition to those of cuda/gpu: ROOM_kernels_get_resource, of ROOM-kernels.h, which the build
   * generates from the names in the room's meson.build. */
  GResource *(*get_files) (void);

  /* Appends the constants of a case to text. */
  void (*define) (const FxProgramCase *program_case, GString *text);
} FxProgram;

/* Append constants of kernels/pixel.cuh and image.cuh, as far as they differ from the defaults
 * there: a case's pixels, with their curve if the codec has one; these, and the abyss of its plan;
 * the cells of a grid; a curve, one constant for all tables. */
void fx_define_codec (const FxProgramCase *program_case, GString *text);
void fx_define_source (const FxProgramCase *program_case, GString *text);
void fx_define_grid (const FxProgramCase *program_case, GString *text);
void fx_define_trc (GString *text, const FxTrc *trc);

/* Returns the program's text, which differs between programs and between cases that matter. Free it
 * with g_free. */
char *fx_program_get_text (const FxProgram *program, const FxProgramCase *program_case);

/* In the functions below, text is a text of program. program may be NULL; text then includes files
 * of cuda/gpu only. They may be called from any thread. */

/* Returns the cache key for text, compiled for target by the compiler with this identity: a hash of
 * everything that the result depends on, including the files that text may include and the
 * compiler's options. Free it with g_free. */
char *fx_program_get_key (const FxProgram *program, const char *compiler, const char *text,
                          const FxTarget *target);

/* Returns the machine code: from the cache, otherwise compiled and stored in the cache. Fails like
 * fx_compiler_compile. Free the result with g_bytes_unref. */
GBytes *fx_program_get (const FxProgram *program, FxCompiler *compiler, FxCache *cache,
                        const char *text, const FxTarget *target, GError **error);

/* Returns the machine code from the cache, or NULL. */
GBytes *fx_program_find (const FxProgram *program, FxCompiler *compiler, FxCache *cache,
                         const char *text, const FxTarget *target);

/* Like fx_program_get, without a cache. */
GBytes *fx_program_compile (const FxProgram *program, FxCompiler *compiler, const char *text,
                            const FxTarget *target, GError **error);
