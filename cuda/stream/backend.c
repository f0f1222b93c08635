#include "backend.h"

FxLayout
fx_backend_get_layout (const FxBackend *backend, gconstpointer device, const FxPlan *plan,
                       const FxImage *image, gsize limit)
{
  int chunk_rows = backend->get_chunk_rows ? backend->get_chunk_rows (plan) : 0;

  return fx_layout_new (plan, image, chunk_rows, backend->get_bytes, device, limit);
}

int
fx_run_get_need (const FxRun *run, int end)
{
  FxSpan rows;

  if (run->backend->needs_all (run->plan))
    return run->strip.source_y1;
  rows = fx_strip_get_source_rows (&run->strip, &run->plan->reach, run->strip.y0, end);
  return rows.first + rows.count;
}
