/* A run on the CPU that decodes the source row by row, and computes the result block by block. The
 * threads of a team share the rows, and then the blocks. */
#pragma once

#include "cpu.h"
#include "team.h"

typedef struct FxCpuBlocks FxCpuBlocks;

/* The common part of such a run, which is its first member. The functions are called on several
 * threads at a time. */
struct FxCpuBlocks {
  FxRun base;
  FxTeam *team;
  gpointer memory;   /* of the size that the run asked for */
  int columns, rows; /* of a block; a chunk ends with smaller ones */

  /* Decodes row y of the source. */
  void (*decode) (const FxCpuBlocks *run, const guint8 *source, int y);

  /* Computes a block of the result. Its rows are stride bytes apart. */
  void (*filter) (const FxCpuBlocks *run, const FxRect *block, guint8 *result, gsize stride);
};

/* Return the pixels in a row of the source, and of the result. */
static inline int
fx_cpu_blocks_get_source_width (const FxStrip *strip)
{
  return strip->source_x1 - strip->source_x0;
}

static inline int
fx_cpu_blocks_get_width (const FxStrip *strip)
{
  return strip->x1 - strip->x0;
}

/* Creates a run of size bytes, with that many bytes of uninitialised memory. The caller sets the
 * blocks' size and functions, and its own members, which are 0. Returns NULL with
 * FX_ERROR_MEMORY. */
gpointer fx_cpu_blocks_new (gsize size, gsize memory, const FxCpu *cpu, const FxPlan *plan,
                            const FxStrip *strip, GError **error);

/* Implement FxBackend's push, pull and end. A chunk may take minutes, so the run may be stopped
 * between two rows of blocks. */
gboolean fx_cpu_blocks_push (FxRun *run, gconstpointer source, int y, int rows, GError **error);
gboolean fx_cpu_blocks_pull (FxRun *run, gpointer result, int y, int rows, GError **error);
void fx_cpu_blocks_end (FxRun *run);
