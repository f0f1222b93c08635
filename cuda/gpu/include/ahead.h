/* Programs that were compiled to PTX when the project was built, for computers that have a driver
 * but no NVRTC. */
#ifndef FX_AHEAD_H
#define FX_AHEAD_H

#include "program.h"

G_BEGIN_DECLS

/* The path of the GResource that holds such programs, in a process that has them. It is a GVariant
 * of FX_AHEAD_TYPE: the compute capability that they were compiled for, and the PTX of each program
 * by its key. */
#define FX_AHEAD_PATH "/org/gimp/cuda-blur-ahead/programs"
#define FX_AHEAD_TYPE "(ia{say})"

/* Returns the target that these programs are compiled for, with compute capability arch. */
FxTarget fx_ahead_get_target (int arch);

/* Returns the key of a program text. Free it with g_free. */
char *fx_ahead_get_key (const FxProgram *program, const char *text, int arch);

/* Returns the PTX for a text of program on a device of compute capability arch, or NULL if there is
 * none or it is for a newer device. May be called from any thread. */
GBytes *fx_ahead_find (const FxProgram *program, const char *text, int arch);

G_END_DECLS

#endif
