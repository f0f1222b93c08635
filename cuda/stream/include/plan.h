/* A plan: a filter with its parameters, prepared for images of one format.
 *
 * Each filter makes its own plans. The engine, the preview and the devices see only this common
 * part of a plan; the filter's own data follow it in memory. */
#pragma once

#include "codec.h"
#include "rect.h"

typedef struct FxPlan FxPlan;
typedef struct FxBackend FxBackend; /* backend.h */
typedef struct FxCpuPath FxCpuPath; /* cpu-blocks.h */
typedef struct FxGpuPath FxGpuPath; /* gpu-run.h */

/* The abyss policy: the pixels outside the image. In GEGL's order. */
typedef enum {
  FX_ABYSS_CLAMP, /* the nearest pixel of the image */
  FX_ABYSS_NONE,  /* transparent; black if there is no alpha */
  FX_ABYSS_BLACK, /* opaque black */
  FX_ABYSS_WHITE, /* opaque white */
} FxAbyss;

/* Checks that abyss is one of these; returns FALSE with FX_ERROR_ARGUMENT if not. */
gboolean fx_abyss_check (FxAbyss abyss, GError **error);

/* The rectangle of the picture, in pixels: the layer before it grows, or an operation's input.
 * Settings that are fractions of its width and height, such as a centre, refer to it. FxImage's x
 * and y place an image in the same plane. x and y are -FX_GEOMETRY_MAX to FX_GEOMETRY_MAX, width
 * and height 0 to that: any rectangle of ints is valid. */
typedef struct {
  double x, y, width, height;
} FxGeometry;

#define FX_GEOMETRY_MAX 4294967296.0

/* Checks geometry; returns FALSE with FX_ERROR_ARGUMENT if a member is out of range or NaN. */
gboolean fx_geometry_check (const FxGeometry *geometry, GError **error);

typedef struct FxReach FxReach;

/* The maximum number of source pixels on each side on which a result pixel depends. */
struct FxReach {
  int left, right, above, below;

  /* The rows below which a chunk costs hardly less, so that narrower strips save memory better than
   * shorter chunks. 0: the cost is in proportion to the rows. */
  int worthwhile_rows;

  /* If the reach differs from place to place: returns the source that the pixels of result depend
   * on, which contains result. Both are in the geometry's pixels; data is the plan. The margins are
   * then 0. NULL: the margins apply everywhere. */
  FxRect (*find_source) (gconstpointer data, const FxRect *result);
  gconstpointer data;
};

/* Returns the source that the pixels of result depend on. It may be larger than the image. */
FxRect fx_reach_get_source (const FxReach *reach, const FxRect *result);

typedef struct {
  const char *name; /* the filter's name, for the trace */

  /* Frees the plan and the filter's own data in it. NULL: g_free does. */
  void (*free) (FxPlan *plan);

  /* Returns the plan of the same filter for an image scaled down by 2^level, for a draft, or NULL
   * if memory runs out; free it with fx_plan_free. The pointer may be NULL: the filter has no
   * drafts. */
  FxPlan *(*get_draft) (const FxPlan *plan, int level);
} FxFilter;

/* The address of a path on the GPU, or NULL in a build without CUDA. */
#if HAVE_CUDA
#define FX_GPU_PATH(path) (&(path))
#else
#define FX_GPU_PATH(path) NULL
#endif

/* A plan does not change after its creation. It is reference counted: each user frees it, on any
 * thread. */
struct FxPlan {
  const FxFilter *filter;
  gint users; /* atomic */
  FxCodec codec;
  FxAbyss abyss;
  float border[FX_CHANNELS_MAX]; /* the pixel outside the image, decoded; unused with CLAMP */
  FxReach reach;
  double cpu_cost; /* nanoseconds of a thread per sample: measured, correct to a factor of two */
  double gpu_cost; /* the cpu_cost of what takes a GPU as long; 0: cpu_cost */
  const FxCpuPath *cpu_path; /* the code that runs the plan; unused by identity plans */
  const FxGpuPath *gpu_path; /* the same; NULL in a build without CUDA */
  gboolean identity;         /* leaves every pixel as it is */
  gboolean placed;           /* depends on the geometry that it was made for */
  gboolean cpu_only;         /* no GPU can run it */
  gboolean missing;          /* there was not enough memory for the plan; it cannot be run */
};

/* Returns how many times as long as by cpu_cost a GPU takes. */
static inline double
fx_plan_get_gpu_factor (const FxPlan *plan)
{
  return plan->gpu_cost > 0.0 ? plan->gpu_cost / plan->cpu_cost : 1.0;
}

/* Fills the common part of a newly allocated plan, with one reference. The filter must set the
 * members from reach on that are not 0. */
void fx_plan_init (FxPlan *plan, const FxFilter *filter, const FxCodec *codec, FxAbyss abyss);

/* Implements get_draft for a filter to which the scale does not matter: returns plan, with one more
 * reference. */
FxPlan *fx_plan_get_same (const FxPlan *plan, int level);

FX_BEGIN_API

/* Creates the plan that leaves images of format unchanged. Its abyss is FX_ABYSS_NONE. Never
 * returns NULL; free it with fx_plan_free. */
FxPlan *fx_plan_new_identity (const FxFormat *format);

/* Creates a placeholder for a plan that did not fit into memory. Engines and previews refuse it
 * with FX_ERROR_MEMORY. Never returns NULL; free it with fx_plan_free. */
FxPlan *fx_plan_new_missing (const FxFormat *format);

/* Adds a reference and returns plan; fx_plan_free drops one. */
FxPlan *fx_plan_ref (FxPlan *plan);
void fx_plan_free (FxPlan *plan); /* NULL is legal */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FxPlan, fx_plan_free)

FX_END_API
