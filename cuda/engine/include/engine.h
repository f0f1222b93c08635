/* The engine: runs a filter's plan over a two-dimensional image, on an NVIDIA GPU or on the CPU.
 *
 * With preview.h, and the headers of image/ and of each filter, the public face of this folder,
 * which needs GLib and nothing of GIMP.
 *
 * Threads: an engine serves one thread at a time; two engines are independent. Callbacks run on the
 * thread that called fx_engine_run, while the work goes on on another. */
#ifndef FX_ENGINE_H
#define FX_ENGINE_H

#include "config.h"
#include "error.h"
#include "image.h"
#include "plan.h"

FX_BEGIN_API

/* What a run did. */
typedef struct {
  FxDevice device;      /* FX_DEVICE_GPU or FX_DEVICE_CPU, never AUTO */
  char device_name[96]; /* "NVIDIA H100 80GB HBM3", "CPU, 16 threads" */
  char fallback[512];  /* why the GPU did not do it, a sentence; empty if it did or was not asked */
  double milliseconds; /* wall clock, the callbacks included */
} FxReport;

typedef struct FxEngine FxEngine;

/* Makes an engine. Costs next to nothing: the GPU is opened by the first run that wants it. Never
 * NULL; free it with fx_engine_free. */
FxEngine *fx_engine_new (void);

/* Has the engine follow config, which is copied, in place of the environment, which every run else
 * reads anew. An open GPU keeps what it was opened with. */
void fx_engine_set_config (FxEngine *engine, const FxConfig *config);

/* Says that many runs will come: where the CPU does one because the GPU is not open, or has to
 * compile first, that is done on the side, for the next. */
void fx_engine_set_lasting (FxEngine *engine);

/* Whether an automatic run may wait for a GPU that is not open, or has to compile first, where it
 * is done sooner so than on the CPU. TRUE at first. */
void fx_engine_set_waiting (FxEngine *engine, gboolean waiting);

/* Gives back everything the engine holds, device memory included. NULL is legal. A callback of a
 * run may call it that never returns: where the process ends. */
void fx_engine_free (FxEngine *engine);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FxEngine, fx_engine_free)

/* Whether device is one: FALSE and FX_ERROR_ARGUMENT if not. */
gboolean fx_device_check (FxDevice device, GError **error);

/* Does to image->region what plan says, which was made for image's format. Returns TRUE when every
 * pixel of it was written; with a plan that is identity the pixels are written as they were read,
 * by no device. On FALSE error is set, to one of FX_ERROR or to what a callback set. report may be
 * NULL; it is filled on TRUE only. */
gboolean fx_engine_run (FxEngine *engine, FxPlan *plan, FxDevice device, const FxImage *image,
                        FxReport *report, GError **error);

FX_END_API

#endif
