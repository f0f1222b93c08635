#include "backend.h"

/* The arguments of get_bytes. */
typedef struct {
  const FxBackend *backend;
  gconstpointer device;
  const FxPlan *plan;
} Choice;

static gsize
backend_get_bytes (gconstpointer data, const FxStrip *strip)
{
  const Choice *choice = data;

  return choice->backend->get_bytes (choice->device, choice->plan, strip);
}

FxLayout
fx_backend_get_layout (const FxBackend *backend, gconstpointer device, const FxPlan *plan,
                       const FxImage *image, gsize limit)
{
  const Choice choice = { backend, device, plan };
  int chunk_rows = backend->get_chunk_rows ? backend->get_chunk_rows (plan) : 0;

  return fx_layout_new (&plan->reach, image, chunk_rows, backend_get_bytes, &choice, limit);
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
