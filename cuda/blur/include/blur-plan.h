/* A plan of the blur: the common part of all plans and its own data. */
#pragma once

#include "axis.h"
#include "blur.h"

typedef struct {
  FxPlan base;
  BlurParams params;
  BlurAxis axes[4];              /* as many as differ */
  const BlurAxis *x, *y;         /* on the GPU */
  const BlurAxis *cpu_x, *cpu_y; /* on the CPU, where multi-resolution pays later */
} BlurPlan;

static inline const BlurPlan *
blur_plan_get (const FxPlan *plan)
{
  return (const BlurPlan *) plan;
}

/* Returns whether an axis on the GPU, or both, has stages. */
static inline gboolean
blur_plan_is_multires (const FxPlan *plan)
{
  return blur_plan_get (plan)->x->n_stages > 0 || blur_plan_get (plan)->y->n_stages > 0;
}
