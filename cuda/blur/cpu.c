/* Chooses the CPU path. */
#include "cpu-run.h"
#include "paths.h"

const FxBackend *
blur_get_cpu_path (const FxPlan *plan)
{
  return blur_plan_get (plan)->cpu_y.n_stages ? &blur_cpu_grids : &blur_cpu_fir;
}
