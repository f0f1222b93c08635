#include "backend.h"

int
fx_run_get_need (const FxRun *run, int end)
{
  if (run->backend->needs_all (run->plan))
    return run->strip.source_y1;
  return (int) MIN ((gint64) run->strip.source_y1, (gint64) end + run->plan->reach.below);
}
