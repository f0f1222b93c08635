/* A program: its text, its key in the cache, its machine code. Needs no GPU.
 *
 * A program is declared beside the way that launches it. Its text is constants, then its file: as
 * far as these depend on a plan and a device, so does the program. */
#ifndef FX_PROGRAM_H
#define FX_PROGRAM_H

#include "cache.h"
#include "compiler.h"
#include "plan.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* The one kernel of every program. */
#define FX_PROGRAM_KERNEL "kernel"

/* As many are asked for at a time. */
#define FX_PROGRAMS_MAX 8

/* Where a resource has a room's kernels. */
#define FX_PROGRAM_FILES "/org/gimp/cuda-blur/"

/* What a program is made for. */
typedef struct {
  FxCodec codec;          /* of the image */
  const FxPlan *plan;     /* NULL for a program that needs none */
  gboolean grown;         /* what of the image is not at hand is transparent: it was enlarged */
  gsize shared_block;     /* bytes of shared memory that a block may have on the device, */
  gsize shared_processor; /* and that a multiprocessor has */
} FxProgramCase;

typedef struct {
  const char *name; /* no other program has it */
  const char *file; /* with the kernel */

  /* The files of the program's own room, which it may include, beside those of the gpu room. */
  GResource *(*get_files) (void);

  /* Appends the constants of a case to text. */
  void (*define) (const FxProgramCase *what, GString *text);
} FxProgram;

/* Constants of kernels/pixel.cuh and image.cuh, each where a program needs other than what stands
 * there: pixels that go through a codec, and through its curve where it has one; a curve; cells of
 * a grid, for images of format; what lies beyond the edge by plan; that what of the image is not at
 * hand is transparent. */
void fx_define_codec (GString *text, const FxCodec *codec);
void fx_define_trc (GString *text, const FxTrc *trc);
void fx_define_grid (GString *text, const FxFormat *format);
void fx_define_abyss (GString *text, const FxPlan *plan);
void fx_define_grown (GString *text, gboolean grown);

/* The program's text; programs and cases that differ have another. Free it with g_free. */
char *fx_program_get_text (const FxProgram *program, const FxProgramCase *what);

/* In what follows text is one of program's; NULL: of none, and includes no room's files but the gpu
 * room's. */

/* The name that the cache has for what a compiler of that identity makes of text: a hash of all
 * that this depends on, the files that it may include and the compiler's options among them. */
char *fx_program_get_key (const FxProgram *program, const char *compiler, const char *text,
                          const FxTarget *target);

/* The machine code: from the cache, else compiled and put there. NULL with FX_ERROR_DEVICE and the
 * compiler's log. */
GBytes *fx_program_get (const FxProgram *program, FxCompiler *compiler, FxCache *cache,
                        const char *text, const FxTarget *target, GError **error);

/* From the cache, or NULL. */
GBytes *fx_program_find (const FxProgram *program, FxCompiler *compiler, FxCache *cache,
                         const char *text, const FxTarget *target);

/* With no cache. */
GBytes *fx_program_compile (const FxProgram *program, FxCompiler *compiler, const char *text,
                            const FxTarget *target, GError **error);

G_END_DECLS

#endif
