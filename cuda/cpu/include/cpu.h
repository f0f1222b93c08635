/* The CPU as a device: the parts that the CPU paths of all filters share. */
#pragma once

#include "backend.h"
#include "rows.h"

/* The device argument of a CPU path's begin. */
typedef struct {
  int threads;  /* upper limit */
  gsize memory; /* the bytes that a run should not exceed; 0: no limit */
} FxCpu;

/* Runs plans by their filters' FxCpuPath (blocks.c). */
extern const FxBackend fx_cpu_backend;

/* Returns how many threads should work on pixels pixels, 1 or more. A thread with too little work
 * costs more than it saves, and keeps a core from other work. */
int fx_cpu_get_threads (const FxCpu *cpu, double pixels);

/* Returns the estimated milliseconds that one thread takes for pixels pixels. */
double fx_cpu_get_work (const FxPlan *plan, double pixels);

/* Returns the estimated time of a run over pixels pixels, in milliseconds: correct to a factor of
 * two. */
double fx_cpu_get_cost (const FxCpu *cpu, const FxPlan *plan, double pixels);

/* How many rows ahead of the one being read to prefetch. */
#define FX_CPU_AHEAD 8

/* Prefetches bytes bytes of a row that will be read soon. The processor's own prefetcher does not
 * predict walks down columns. */
static inline void
fx_cpu_prefetch (gconstpointer row, gsize bytes)
{
  enum { CACHE_LINE = 64 };

  for (gsize i = 0; i < bytes; i += CACHE_LINE)
    __builtin_prefetch ((const char *) row + i);
}
