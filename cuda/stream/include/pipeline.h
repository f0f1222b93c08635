/* A region's way through a device, on two threads: the caller's reads the source and writes the result,
 * the pipeline's own opens the device and blurs. Chunks of rows go from one to the other through a few
 * places in host memory, so that neither waits while the other has something to do. */
#ifndef BLUR_PIPELINE_H
#define BLUR_PIPELINE_H

#include "backend.h"

G_BEGIN_DECLS

#define BLUR_PIPELINE_ALIGNMENT 4096 /* bytes, of staging memory: whole pages can be pinned */

/* The pipeline's thread, kept from run to run. */
typedef struct BlurPipeline BlurPipeline;

/* One run. */
typedef struct {
  const BlurBackend *backend;
  const BlurPlan *plan;
  const BlurImage *image;
  BlurLayout layout;
  gpointer staging; /* blur_pipeline_get_staging_bytes of host memory, aligned */

  /* Sets device to what the backend's begin takes; called once, first, on the pipeline's thread. */
  gboolean (*open) (gpointer data, gpointer *device, GError **error);
  gpointer data;
} BlurPipelineJob;

/* Never NULL; its thread starts with the first run. */
BlurPipeline *blur_pipeline_new (void);
void blur_pipeline_free (BlurPipeline *pipeline); /* NULL is legal */

/* Bytes of staging memory that a job takes, whose staging need not be set yet. */
gsize blur_pipeline_get_staging_bytes (const BlurPipelineJob *job);

/* Tells the image's progress function, if it has one. FALSE with BLUR_ERROR_CANCELLED if that says so. */
gboolean blur_pipeline_report (const BlurImage *image, double fraction, GError **error);

/* Runs job on both threads and returns when both are done. FALSE with error; caller_stopped: whether it
 * was a callback of the image that failed or cancelled. */
gboolean blur_pipeline_run (BlurPipeline *pipeline, const BlurPipelineJob *job,
                            gboolean *caller_stopped, GError **error);

G_END_DECLS

#endif
