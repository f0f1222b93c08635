/* Machine code for the programs of one device: from the disk, else compiled, now or in the
 * background. Needs no GPU. */
#ifndef BLUR_BUILDER_H
#define BLUR_BUILDER_H

#include "program.h"

G_BEGIN_DECLS

typedef struct BlurBuilder BlurBuilder;

/* arch: the device's compute capability, 90 for 9.0. major: of the driver's CUDA, as for
 * blur_compiler_open, which goes on in the background. Never NULL. */
BlurBuilder *blur_builder_new (int arch, int major);

/* Waits for a compilation under way. NULL is legal. */
void blur_builder_free (BlurBuilder *builder);

/* The code of source, whatever it takes. Fails as blur_compiler_open, blur_target_choose and
 * blur_program_get do. */
GBytes *blur_builder_get (BlurBuilder *builder, const char *source, GError **error);

/* The code of source where that needs no compiler. Else NULL, at once, and source is compiled in the
 * background, unless that has failed before; of several that wait for the compiler, the newest is
 * taken and the others are forgotten. One thread calls this and blur_builder_get. */
GBytes *blur_builder_find (BlurBuilder *builder, const char *source);

G_END_DECLS

#endif
