/* Memory, as a soak test looks at it. */
#pragma once

#include <glib.h>

typedef struct {
  int resident; /* kB, resident ones: the plug-in's process that stays */
  int gimp;
  int own;    /* of this process, in which the operations run */
  int device; /* MB in use on the first GPU by everybody; -1: there is none */
  int tables; /* that babl has made, up to now, to convert pixels faster; each up to 256 MB */
} SoakMemory;

/* Requires a resident process, which is started if there is none. */
SoakMemory soak_memory_get (void);

/* One line; g_free it. */
char *soak_memory_describe (const SoakMemory *memory);

/* Returns which memory has grown too much over that many calls, or NULL. */
char *soak_memory_problem (const SoakMemory *start, const SoakMemory *end, int calls);
