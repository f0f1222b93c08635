/* In the place of the engine's builder (builder.h): machine code that NVRTC makes, one for all
 * programs whose kernels are launched alike. Thousands of programs differ in their weights and
 * formats alone, and to compile each takes a tenth of a second. Needs NVRTC, not a GPU. */
#ifndef ALIKE_BUILDER_H
#define ALIKE_BUILDER_H

#include "builder.h"

G_BEGIN_DECLS

/* Before any builder is made. FALSE with error where there is no NVRTC. */
gboolean alike_open (GError **error);
void alike_close (void);

/* How many were compiled, or found on disk. */
guint alike_count (void);

typedef struct {
  const FxProgram *program;
  char *text;
} AlikeSample;

/* Some of the texts that builders were asked for, at random. Owned by the builders. */
GPtrArray *alike_get_samples (void);

/* The code of a text itself; the code that stands for it. */
GBytes *alike_compile_exactly (const FxProgram *program, const char *text);
GBytes *alike_find (const FxProgram *program, const char *text);

G_END_DECLS

#endif
