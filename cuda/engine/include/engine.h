/* The engine: runs a filter's plan over a two-dimensional image, on an NVIDIA GPU or on the CPU.
 *
 * This header, those that it includes, preview.h and the headers of image/ and of each filter are
 * the public interface of this folder. It needs GLib, but not GIMP.
 *
 * A caller describes its image in an FxImage: the format, the size, and functions that read and
 * write rectangles of it in host memory. For that format it makes a plan, by the function of a
 * filter's header, and passes both to fx_engine_run, which returns when all is written. One engine
 * can run any number of plans over any number of images, one after the other.
 *
 * Threads: an engine serves one thread at a time; different engines are independent. Callbacks run
 * on the thread that called fx_engine_run, while another thread processes the image. */
#pragma once

#include "config.h"
#include "error.h"
#include "image.h"
#include "plan.h"

FX_BEGIN_API

/* The outcome of a run: of one call of fx_engine_run. */
typedef struct {
  FxDevice device;      /* FX_DEVICE_GPU or FX_DEVICE_CPU, never AUTO */
  char device_name[96]; /* "NVIDIA H100 80GB HBM3", "CPU, 16 threads" */
  char fallback[512];   /* the reason why the GPU was not used, a sentence; empty if it was used or
                           not requested */
  double milliseconds;  /* wall-clock time, including the callbacks */
} FxReport;

typedef struct FxEngine FxEngine;

/* Creates an engine. This is cheap: the first run that wants the GPU opens it. Never returns NULL;
 * free the engine with fx_engine_free. */
FxEngine *fx_engine_new (void);

/* Makes the engine use a copy of config. Without this call, each run reads the environment. A GPU
 * that is already open keeps the program settings and the cache folder that it was opened with. */
void fx_engine_set_config (FxEngine *engine, const FxConfig *config);

/* Allows warm-ups; call this if many runs will follow. If the CPU does a run because the GPU is not
 * open or has to compile programs first, the GPU is then warmed up in the background for the next
 * run. */
void fx_engine_enable_warm_up (FxEngine *engine);

/* Sets whether a run on the automatic device may wait for the GPU to open and to compile programs,
 * if that is still faster than the CPU. The default is TRUE. */
void fx_engine_set_waiting (FxEngine *engine, gboolean waiting);

/* Frees the engine and everything it holds, device memory included. NULL is legal. A callback of a
 * run may call this if the callback does not return, because the process ends. */
void fx_engine_free (FxEngine *engine);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FxEngine, fx_engine_free)

/* Returns whether the GPU stopped responding, or CUDA failed to open it, and no run has opened it
 * since. The next runs try again, but CUDA is sure to recover only in a new process. */
gboolean fx_engine_has_lost_gpu (const FxEngine *engine);

/* Checks that device is a value of FxDevice; returns FALSE with FX_ERROR_ARGUMENT if not. */
gboolean fx_device_check (FxDevice device, GError **error);

/* Returns the milliseconds that a run over image->region is expected to take on the GPU, or
 * infinity if that is not ready, or the CPU would do it. The functions and the data of image do not
 * matter. Opens no GPU. */
double fx_engine_expect_gpu (FxEngine *engine, FxPlan *plan, FxDevice device, const FxImage *image);

/* Applies plan, which must be made for the image's format, to image->region. Returns TRUE once
 * every pixel of the region was written. An identity plan copies the pixels as they are, without a
 * device. On failure, returns FALSE with an error of FX_ERROR, with the error that a callback set,
 * or with GLib's own if no thread can be started; what was written is then not valid. report may be
 * NULL; it is filled only on TRUE. */
gboolean fx_engine_run (FxEngine *engine, FxPlan *plan, FxDevice device, const FxImage *image,
                        FxReport *report, GError **error);

FX_END_API
