/* A buffer that calls a function while somebody reads it: within a call of the operation, where its
 * engine is in use, so that every other call has a new one. */
#pragma once

#include <gegl.h>

/* Calls func once for the buffer, of a tile. */
GeglBuffer *held_new (const Babl *format, void (*func) (void));
