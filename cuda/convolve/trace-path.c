#include "paths.h"

#include "trace.h"

void
convolve_trace_path (const ConvolvePlan *plan, const char *path)
{
  const ConvolveMatrix *matrix = &plan->matrix;

  fx_trace (plan->base.filter->name, g_get_monotonic_time (), 0, "%dx%d, %d taps, rank %d: %s",
            matrix->rows, matrix->columns, matrix->taps, matrix->rank, path);
}
