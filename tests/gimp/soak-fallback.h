/* How often a soak test's calls were done by the CPU although they might have been by the GPU, and
 * why. Every process says so in GIMP's log. */
#pragma once

#include <glib.h>

typedef struct SoakFallbacks SoakFallbacks;

SoakFallbacks *soak_fallbacks_new (void);
void soak_fallbacks_free (SoakFallbacks *fallbacks);

/* Counts those since the last call of this function. Returns what is wrong with them, which is free
 * to g_free, or NULL: the CPU may do what it is done with sooner, and what there is no GPU for.
 * allowed: a device may fail, too. */
char *soak_fallbacks_take (SoakFallbacks *fallbacks, gboolean allowed);

/* A line for each reason. */
void soak_fallbacks_note (const SoakFallbacks *fallbacks);
