/* A region's way through a device, on two threads: the caller's reads the source and writes the
 * result, the pipeline's own opens the device and runs the plan. Chunks of rows go from one to the
 * other through a few places in host memory, so that neither waits while the other has something to
 * do. */
#ifndef FX_PIPELINE_H
#define FX_PIPELINE_H

#include "backend.h"
#include "kept.h"

G_BEGIN_DECLS

#define FX_PIPELINE_ALIGNMENT 4096 /* bytes, of staging memory: whole pages can be pinned */

/* The pipeline's thread, kept from run to run. */
typedef struct FxPipeline FxPipeline;

/* One run. */
typedef struct {
  const FxBackend *backend;
  const FxPlan *plan;
  const FxImage *image;
  FxLayout layout;
  FxKept *kept;     /* what the device has of the source; NULL: nothing */
  gpointer staging; /* fx_pipeline_get_staging_bytes of host memory, aligned */

  /* Sets device to what the backend's begin takes; called once, first, on the pipeline's thread. */
  gboolean (*open) (gpointer data, gpointer *device, GError **error);
  gpointer data;
} FxPipelineJob;

/* Never NULL; its thread starts with the first run. */
FxPipeline *fx_pipeline_new (void);

/* NULL is legal. A callback of a run may call it that never returns: where the process ends. */
void fx_pipeline_free (FxPipeline *pipeline);

/* Bytes of staging memory that a job takes, whose staging need not be set yet. */
gsize fx_pipeline_get_staging_bytes (const FxPipelineJob *job);

/* Runs job on both threads and returns when both are done. FALSE with error, GLib's own where there
 * is no thread to be had; caller_stopped: whether it was a callback of the image that failed or
 * cancelled. */
gboolean fx_pipeline_run (FxPipeline *pipeline, const FxPipelineJob *job, gboolean *caller_stopped,
                          GError **error);

G_END_DECLS

#endif
