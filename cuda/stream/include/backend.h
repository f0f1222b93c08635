/* The interface through which the engine runs a plan over one strip on a device. Each
 * device has one, which calls the filter's path: an FxCpuPath in cpu/blocks.c, an FxGpuPath in
 * gpu/run.c.
 *
 * A run receives source rows in order (push) and returns result rows in order (pull). Before the
 * engine pulls row y, it pushes all rows that y depends on, but never more rows ahead than the ring
 * holds. If the run needs all of the source first (needs_all), the engine pushes the whole strip
 * before the first pull. A run is used by one thread at a time. */
#pragma once

#include "strip.h"

typedef struct FxRun FxRun;

/* The common part of every backend's run, and its first member. */
struct FxRun {
  const FxPlan *plan; /* outlives the run */
  FxStrip strip;
  gboolean needs_all; /* all of the source must be pushed before any of the result is pulled */

  /* May be NULL. A long run calls this now and then, on any of its threads. Once it has returned
   * FALSE, it always does, and the run must stop at once: push or pull returns FALSE with the
   * error, if any, that is_wanted has set. */
  gboolean (*is_wanted) (gpointer data, GError **error);
  gpointer data;
};

/* Returns whether the result of run is still wanted; if not, FALSE with is_wanted's error. */
static inline gboolean
fx_run_is_wanted (const FxRun *run, GError **error)
{
  return ! run->is_wanted || run->is_wanted (run->data, error);
}

struct FxBackend {
  /* Returns how many of the chunks pushed last must stay in the memory that push received, until
   * the next push, so that pull can read them there. NULL: none. */
  int (*get_held) (const FxPlan *plan);

  /* Returns the minimum number of rows that a chunk should have, a power of two: with fewer, each
   * row costs more. NULL: any number. */
  int (*get_chunk_rows) (const FxPlan *plan);

  /* Returns the bytes of memory that a run of strip takes. device is an FxCpu, or an FxGpu that may
   * be NULL. A source that is resident is not counted. */
  gsize (*get_bytes) (gconstpointer device, const FxPlan *plan, const FxStrip *strip);

  /* Starts a run of strip on device, an FxCpu or an FxGpu. plan must outlive it. Returns NULL with
   * error on failure. */
  FxRun *(*begin) (gpointer device, const FxPlan *plan, const FxStrip *strip, GError **error);

  /* Passes rows y to y + rows - 1 of the image, without padding. Each has source_x1 - source_x0
   * pixels, or the image's width if the strip is resident. source is NULL if the backend has these
   * rows already. The caller may reuse source as soon as push returns, unless get_held says
   * otherwise. Returns FALSE with error on failure. */
  gboolean (*push) (FxRun *run, gconstpointer source, int y, int rows, GError **error);

  /* Fills result with rows y to y + rows - 1 of the image, x1 - x0 pixels each, without padding.
   * Returns FALSE with error on failure; result is then undefined. */
  gboolean (*pull) (FxRun *run, gpointer result, int y, int rows, GError **error);

  /* Frees the run, in any state. */
  void (*end) (FxRun *run);
};

/* Returns the row up to which (exclusive) the source must be pushed for the result up to row end
 * (exclusive). */
int fx_run_get_need (const FxRun *run, int end);
