/* Programs that were compiled when the project was built, as PTX, for where there is a driver and
 * no NVRTC. */
#ifndef FX_AHEAD_H
#define FX_AHEAD_H

#include "program.h"

G_BEGIN_DECLS

/* Where a process that has such programs has them, as a GResource: a GVariant of FX_AHEAD_TYPE, the
 * compute capability that they are for and each one's PTX by its key. */
#define FX_AHEAD_PATH "/org/gimp/cuda-blur-ahead/programs"
#define FX_AHEAD_TYPE "(ia{say})"

/* What they are compiled for, with that compute capability. */
FxTarget fx_ahead_get_target (int arch);

/* A text's key. Free it with g_free. */
char *fx_ahead_get_key (const FxProgram *program, const char *text, int arch);

/* The PTX of a text of program for a device of compute capability arch, or NULL. Any thread may
 * call this. */
GBytes *fx_ahead_find (const FxProgram *program, const char *text, int arch);

G_END_DECLS

#endif
