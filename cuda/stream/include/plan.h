/* What is to be done to an image: the engine's side of a filter.
 *
 * A filter makes plans of its parameters and a format. The engine, the preview and the devices know
 * a plan by this head alone; what follows it in memory is the filter's. */
#ifndef FX_PLAN_H
#define FX_PLAN_H

#include "codec.h"

G_BEGIN_DECLS

typedef struct FxPlan FxPlan;
typedef struct FxBackend FxBackend; /* backend.h */
typedef struct FxGpuWay FxGpuWay;   /* gpu-run.h */

/* What the image holds beyond its edge; GEGL's name and GEGL's order. */
typedef enum {
  FX_ABYSS_CLAMP, /* the nearest pixel of the image */
  FX_ABYSS_NONE,  /* transparent; black where there is no alpha */
  FX_ABYSS_BLACK, /* opaque black */
  FX_ABYSS_WHITE, /* opaque white */
} FxAbyss;

/* How many pixels of the source a pixel of the result needs on each side, at the most. */
typedef struct {
  int left, right, above, below;
} FxReach;

typedef struct {
  const char *name; /* of the filter, for the trace */

  /* Frees what is the filter's own of a plan, and the plan. */
  void (*free) (FxPlan *plan);

  /* The same for an image whose pixels are 2^level times as large, for a draft. NULL: a draft would
   * be too far from the truth. */
  FxPlan *(*get_draft) (const FxPlan *plan, int level);

  /* What a sample costs on one thread of the CPU, in nanoseconds; measured, to a factor of two. */
  double (*get_cpu_cost) (const FxPlan *plan);

  /* How the plan is run, where it is not identity. On the GPU: NULL in a build without CUDA. */
  const FxBackend *(*get_cpu_way) (const FxPlan *plan);
  const FxGpuWay *(*get_gpu_way) (const FxPlan *plan);
} FxFilter;

/* Does not change once it is made. Counted: each user frees it, on any thread. */
struct FxPlan {
  const FxFilter *filter;
  gint users; /* atomic */
  FxCodec codec;
  FxAbyss abyss;
  float
    beyond[FX_CHANNELS_MAX]; /* the pixel beyond the edge, as the codec has it; unused with CLAMP */
  FxReach reach;
  gboolean identity; /* it leaves every pixel as it is */
};

/* Fills the head of a plan that a filter has allocated, with one user; reach and identity are left
 * to the filter. */
void fx_plan_init (FxPlan *plan, const FxFilter *filter, const FxCodec *codec, FxAbyss abyss);

G_END_DECLS

FX_BEGIN_API

/* The plan that leaves an image of that format as it is. */
FxPlan *fx_plan_new_identity (const FxFormat *format);

FxPlan *fx_plan_ref (FxPlan *plan);
void fx_plan_free (FxPlan *plan); /* NULL is legal */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FxPlan, fx_plan_free)

FX_END_API

#endif
