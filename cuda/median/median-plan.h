/* The plan of a median blur. */
#pragma once

#include "median.h"

#include <math.h>

#include "kernels/median-args.h" /* needs math.h before it */

G_STATIC_ASSERT (MEDIAN_REACH_MAX == MEDIAN_RADIUS_MAX);

#define MEDIAN_SMALL_MAX 255 /* pixels of a small window: a byte counts them */

typedef struct {
  FxPlan base;
  MedianParams params;
  int compared; /* one of MEDIAN_NOTHING, MEDIAN_STORED and MEDIAN_CODES */
  MedianWindow window;
  const float *lights; /* at which codes begin; NULL without codes */
} MedianPlan;

static inline int
median_plan_get_colors (const MedianPlan *plan)
{
  const FxFormat *format = &plan->base.codec.format;

  return format->channels - fx_format_has_alpha (format);
}

/* The filter's code for a CPU and, in a build with CUDA, for a GPU. */
extern const FxCpuPath median_cpu_path;
extern const FxGpuPath median_gpu_path;
