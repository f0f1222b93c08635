/* The CPU as a device: what every filter's way on it shares. */
#ifndef FX_CPU_H
#define FX_CPU_H

#include "backend.h"
#include "rows.h"

G_BEGIN_DECLS

/* What a way's begin takes as its device. */
typedef struct {
  int threads; /* to work with at the most */
} FxCpu;

/* How many of the threads work on so many pixels: those that have too little to do cost more than
 * they save, and keep cores from others. */
int fx_cpu_get_threads (const FxCpu *cpu, double pixels);

/* What a run over so many pixels costs, in milliseconds; measured, to a factor of two. */
double fx_cpu_get_cost (const FxCpu *cpu, const FxPlan *plan, double pixels);

/* Memory for so many floats, not cleared; free it with g_free. NULL when memory runs out. */
float *fx_cpu_allocate (gsize floats);

/* Rows from one that is read to the one that is fetched. */
#define FX_CPU_AHEAD 8

/* A block of FX_COLUMN columns of a row that is soon to be read: going down columns, the processor
 * does not see it coming. */
static inline void
fx_cpu_prefetch (const float *block)
{
  enum { CACHE_LINE = 16 }; /* floats */
  int i;

  for (i = 0; i < FX_COLUMN; i += CACHE_LINE)
    __builtin_prefetch (block + i);
}

G_END_DECLS

#endif
