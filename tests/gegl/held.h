/* A buffer that calls a function while it is read: that is, within a call of the operation, whose
 * engine is in use, so that every other call gets a new one. */
#pragma once

#include <gegl.h>

/* Calls func once for the buffer, of a tile. */
GeglBuffer *held_new (const Babl *format, void (*func) (void));
