/* Provides machine code for the programs of one device: from the cache on disk or by compilation,
 * at once or in the background. Needs no GPU. */
#pragma once

#include "config.h"
#include "program.h"

typedef struct FxBuilder FxBuilder;

/* Creates a builder for devices of compute capability arch (90 for 9.0). major is the major version
 * of the driver's CUDA, as for fx_compiler_open, which runs in the background. Uses config's ptx,
 * timeout and cache_dir; config need not outlive the call. Never returns NULL; free the builder
 * with fx_builder_free. */
FxBuilder *fx_builder_new (int arch, int major, const FxConfig *config);

/* Frees the builder. Waits for running compilations no longer than config's timeout. If a thread
 * does not end in time, it is abandoned, and the last such thread frees the builder. NULL is
 * legal. */
void fx_builder_free (FxBuilder *builder);

/* Sets binaries[i] to the machine code of texts[i], a text of programs[i], for i from 0 to n - 1,
 * and waits for it. The result for a NULL text is NULL. Texts that are not NULL must differ. n is
 * at most FX_PROGRAMS_MAX. Texts are compiled in parallel, also with the background compilation.
 *
 * Fails like fx_compiler_open, fx_target_choose and fx_program_get; the next call tries again. Also
 * fails with FX_ERROR_UNAVAILABLE if compilation takes longer than config's timeout. Compilation
 * then continues in the background, and no call waits until it has ended. On failure all binaries
 * are NULL. Free binaries with g_bytes_unref. */
gboolean fx_builder_get (FxBuilder *builder, int n, const FxProgram *const *programs,
                         char *const *texts, GBytes **binaries, GError **error);

/* Returns the code of a text of program if it is compiled or in the cache. Otherwise returns NULL,
 * and compiles the text in the background, unless that has failed before. Does not wait for a
 * compilation, but may wait for NVRTC to open. Only the newest of several waiting texts is
 * compiled; the others are dropped. Call this and fx_builder_get from one thread at a time. Free
 * the code with g_bytes_unref. */
GBytes *fx_builder_find (FxBuilder *builder, const FxProgram *program, const char *text);
