#include "backend.h"

int
fx_run_get_need (const FxRun *run, int end)
{
  FxSpan rows;

  if (run->needs_all)
    return run->strip.source_y1;
  rows = fx_strip_get_source_rows (&run->strip, &run->plan->reach, run->strip.y0, end);
  return rows.first + rows.count;
}
