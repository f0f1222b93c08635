/* Sizes of shared memory, from which paths choose their blocks. A kernel's static shared memory
 * counts towards its block's limit. */
#pragma once

#include "program.h"

#define FX_SHARED_LEAST 49152 /* bytes per block that every device has */

/* Returns the bytes of the table that decodes colour (0 unless the samples are 8-bit and have a
 * curve) and of the parameters of highlights. */
gsize fx_shared_get_table (const FxCodec *codec);

/* Returns the maximum bytes of shared memory per block for which two blocks fit on a
 * multiprocessor. */
gsize fx_shared_get_half (const FxProgramCase *program_case);
