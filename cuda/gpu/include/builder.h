/* Machine code for the programs of one device: from the disk, else compiled, now or in the
 * background. Needs no GPU. */
#ifndef FX_BUILDER_H
#define FX_BUILDER_H

#include "config.h"
#include "program.h"

G_BEGIN_DECLS

typedef struct FxBuilder FxBuilder;

/* arch: the device's compute capability, 90 for 9.0. major: of the driver's CUDA, as for
 * fx_compiler_open, which goes on in the background. Never NULL. */
FxBuilder *fx_builder_new (int arch, int major, const FxConfig *config);

/* Waits for a compilation under way, but not for ever: what does not end is left to itself. NULL is
 * legal. */
void fx_builder_free (FxBuilder *builder);

/* The codes of n texts that differ, each of its program, waited for; NULL where a text is NULL.
 * They are compiled side by side, and beside what the background compiles. n: at most
 * FX_PROGRAMS_MAX. Fails as fx_compiler_open, fx_target_choose and fx_program_get do, which the
 * next call tries anew; and with FX_ERROR_UNAVAILABLE where that takes longer than config says: it
 * goes on in the background, and until it ends nobody waits any more. Where all of the texts were
 * compiled ahead (ahead.h), that is taken instead. Else all codes are NULL. */
gboolean fx_builder_get (FxBuilder *builder, int n, const FxProgram *const *programs,
                         char *const *texts, GBytes **codes, GError **error);

/* The code of a text of program where that needs no compiler. Else NULL, at once, and the text is
 * compiled in the background, unless that has failed before; of several that wait for the compiler,
 * the newest is taken and the others are forgotten. One thread calls this and fx_builder_get. */
GBytes *fx_builder_find (FxBuilder *builder, const FxProgram *program, const char *text);

G_END_DECLS

#endif
