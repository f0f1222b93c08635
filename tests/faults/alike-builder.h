/* Replaces the engine's builder (builder.h). Compiles with NVRTC one program for all programs whose
 * kernels are launched in the same way: thousands of programs differ only in weights and formats,
 * and compiling each takes a tenth of a second. Needs NVRTC, but no GPU. */
#pragma once

#include "builder.h"

/* Opens NVRTC; call this before any builder is created. Returns FALSE with error if there is no
 * NVRTC. */
gboolean alike_open (GError **error);
void alike_close (void);

typedef struct {
  const FxProgram *program;
  char *text;
} AlikeSample;

/* Returns sample n of the texts that builders were asked for, or NULL if there are not so many. It
 * is valid until alike_close. */
const AlikeSample *alike_get_sample (guint n);

/* Return the code of text itself, and the code that replaces it. Free them with g_bytes_unref. */
GBytes *alike_compile_exactly (const FxProgram *program, const char *text);
GBytes *alike_find (const FxProgram *program, const char *text);
