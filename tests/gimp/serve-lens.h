/* The lens blur in GIMP's window, for its test. */
#pragma once

#include "serve-image.h"

/* RADIUS BLADES ROTATION ROUNDNESS RING SQUEEZE HIGHLIGHTS THRESHOLD ABYSS LIGHT: whether the layer
 * is to the byte what the engine makes of its original with these settings. */
char *serve_lens_check (ServeImage *image, const char *what);
