/* Shared memory, as blocks are planned by it. What a kernel has of its own is part of what its
 * block may have. */
#ifndef FX_SHARED_H
#define FX_SHARED_H

#include "program.h"

G_BEGIN_DECLS

#define FX_SHARED_LEAST 49152 /* bytes that a block may have on any device */

/* Bytes of the table through which a kernel decodes colour, if there is one. */
gsize fx_shared_get_table (const FxCodec *codec);

/* The most bytes with which a block fits twice into a multiprocessor. */
gsize fx_shared_get_half (const FxProgramCase *what);

G_END_DECLS

#endif
