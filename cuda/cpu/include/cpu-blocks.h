/* A run on the CPU: the parts that the CPU paths of all filters share. It decodes the source row by
 * row and computes the result block by block. The threads of a team share these rows and blocks. */
#pragma once

#include "cpu.h"
#include "team.h"

typedef struct FxCpuBlocks FxCpuBlocks;

/* A path: the part of a run on the CPU that a filter implements. blocks.c wraps it in the FxBackend
 * that the pipeline calls. */
struct FxCpuPath {
  gsize size; /* of the path's own struct, in bytes */
  int held;   /* the result of FxBackend's get_held */

  /* As in FxBackend. NULL: any number. */
  int (*get_chunk_rows) (const FxPlan *plan);

  /* Sets the members that the memory depends on, keeps_source, the size of blocks, decode and
   * filter. May change threads. Members that are set by none are 0. */
  void (*init) (FxCpuBlocks *run);

  /* Allocates the run's arrays with fx_cpu_blocks_alloc. This is called twice. The first call only
   * counts the bytes: fx_cpu_blocks_alloc then returns NULL. NULL: there are no arrays. */
  void (*lay_out) (FxCpuBlocks *run);

  /* Fills the memory. May be NULL. */
  void (*fill) (FxCpuBlocks *run);

  /* As in FxBackend, instead of fx_cpu_blocks_push and fx_cpu_blocks_pull, which they may call.
   * NULL: those two. */
  gboolean (*push) (FxRun *run, gconstpointer source, int y, int rows, GError **error);
  gboolean (*pull) (FxRun *run, gpointer result, int y, int rows, GError **error);
};

/* The common part of such a run, which is its first member. The functions are called on several
 * threads at a time; thread is the number of the calling one. */
struct FxCpuBlocks {
  FxRun base;
  const FxCpu *cpu;
  int threads;
  int ring_rows; /* the rows of the source that must be kept: row y in slot y mod ring_rows */
  FxTeam *team;  /* of that many threads */
  char *memory;  /* of all arrays of the run */
  gsize used;    /* bytes of it */
  gboolean keeps_source; /* as it is stored, for fx_cpu_blocks_get_stored */
  guint8 *stored;        /* a ring of rows; NULL: it is not kept */
  int columns, rows;     /* of a block; the last blocks of a chunk may be smaller */

  /* Decodes row y of the source. NULL: it is only kept. */
  void (*decode) (const FxCpuBlocks *run, const guint8 *source, int y, int thread);

  /* Computes a block of the result. Its rows are stride bytes apart. If a block, or a row of the
   * source, takes long, the function calls fx_run_is_wanted now and then; when the result is no
   * longer wanted, it returns at once, and its output does not matter. */
  void (*filter) (const FxCpuBlocks *run, const FxRect *block, guint8 *result, gsize stride,
                  int thread);
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

/* Returns the address of pixel x, y of the source, which the run must keep. */
static inline const guint8 *
fx_cpu_blocks_get_stored (const FxCpuBlocks *run, int x, int y)
{
  const FxStrip *strip = &run->base.strip;
  gsize slot = y % run->ring_rows, width = fx_cpu_blocks_get_source_width (strip);

  return run->stored +
         (slot * width + (x - strip->source_x0)) * fx_format_size (&run->base.plan->codec.format);
}

/* Return an array of n elements of size bytes in the run's memory, aligned for vectors:
 * uninitialised, and filled with zeros. */
gpointer fx_cpu_blocks_alloc (FxCpuBlocks *run, gsize n, gsize size);
gpointer fx_cpu_blocks_alloc0 (FxCpuBlocks *run, gsize n, gsize size);

/* Decode the rows of the source, and compute the blocks of the result. A chunk may take minutes, so
 * a run can be stopped after each block and each row of the source. A block or row should take at
 * most 0.1 s. */
gboolean fx_cpu_blocks_push (FxRun *run, gconstpointer source, int y, int rows, GError **error);
gboolean fx_cpu_blocks_pull (FxRun *run, gpointer result, int y, int rows, GError **error);
