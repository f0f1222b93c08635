/* The plan of a selective blur. */
#pragma once

#include "kernels/selective-args.h"
#include "selective.h"

G_STATIC_ASSERT (SELECTIVE_REACH_MAX == SELECTIVE_RADIUS_MAX);

typedef struct {
  FxPlan base;
  SelectiveParams params;
  FxCodec perceptual;       /* decodes the values that are compared */
  int compared;             /* one of SELECTIVE_STORED, SELECTIVE_CODES and SELECTIVE_VALUES */
  gboolean compares_others; /* what is compared is not what is averaged */
  SelectiveWindow window;
  const float *lights; /* for codes (light-codes.h) */
} SelectivePlan;

static inline int
selective_plan_get_colors (const SelectivePlan *plan)
{
  const FxFormat *format = &plan->base.codec.format;

  return format->channels - fx_format_has_alpha (format);
}

/* The filter's code for a CPU and, in a build with CUDA, for a GPU. */
extern const FxCpuPath selective_cpu_path;
extern const FxGpuPath selective_gpu_path;
