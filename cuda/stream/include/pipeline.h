/* Streams a region through a device, on two threads. The caller's thread reads the source and
 * writes the result; the pipeline's thread opens the device and runs the plan. They exchange chunks
 * of rows through a few slots in host memory, so that both can work at the same time. */
#pragma once

#include "backend.h"
#include "resident-source.h"

#define FX_PIPELINE_ALIGNMENT 4096 /* in bytes, of staging memory: whole pages can be pinned */

/* A pipeline, whose thread is reused from job to job. It does one job at a time. */
typedef struct FxPipeline FxPipeline;

/* A job: a plan for all strips of an image, with one run for each strip. */
typedef struct {
  const FxBackend *backend;
  const FxPlan *plan;
  const FxImage *image;
  FxLayout layout;
  FxResidentSource
    *resident;       /* the rows of the source that are resident on the device; NULL: none */
  gboolean in_place; /* the backend accesses the image's source and result where these are */
  gpointer staging;  /* host memory, aligned, of fx_pipeline_get_staging_bytes; the caller's */

  gpointer device; /* the argument for the backend's begin, unless open is set */

  /* May be NULL. Sets device. Called once, first, on the pipeline's thread. Returns FALSE with
   * error on failure. */
  gboolean (*open) (gpointer data, gpointer *device, GError **error);
  gpointer data;
} FxPipelineJob;

/* Creates a pipeline. Never returns NULL. The thread starts with the first job. */
FxPipeline *fx_pipeline_new (void);

/* Stops the thread and frees the pipeline. NULL is legal. A callback of a job may call this only if
 * the process then ends before the callback returns: the job is stopped first. */
void fx_pipeline_free (FxPipeline *pipeline);

/* Returns the bytes of staging memory that job needs. job->staging need not be set. */
gsize fx_pipeline_get_staging_bytes (const FxPipelineJob *job);

/* Runs job and returns when both threads are done with it. Returns FALSE with error on failure; the
 * error is GLib's own if the thread cannot be started. Sets caller_stopped to TRUE if one of the
 * image's callbacks failed or cancelled, otherwise to FALSE. */
gboolean fx_pipeline_run (FxPipeline *pipeline, const FxPipelineJob *job, gboolean *caller_stopped,
                          GError **error);
