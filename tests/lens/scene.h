/* One lens blur of a picture, by the engine and, in double precision, by the definition in lens.h.
 * Only the weights are the engine's, which test-aperture.c holds to theirs. */
#pragma once

#include "engine.h"
#include "lens.h"

typedef struct {
  guint32 seed;   /* of the picture */
  gboolean hdr;   /* values of -2 to 8; only for floating-point samples */
  gboolean faint; /* alpha of 0 and nearly 0 beside opaque pixels; otherwise it is random */
  FxFormat format;
  int width, height;
  LensParams params;
  FxDevice device;
} Scene;

/* Returns the samples of the picture, always the same; free them with g_free. */
gpointer scene_make_picture (const Scene *scene);

/* Runs it on a picture. Returns the result, or NULL if it has failed, and so has the test. */
gpointer scene_run (const Scene *scene, gconstpointer source);

/* Runs it on its picture, and holds it to the contract: all samples, or some if that took long. */
void scene_check (const Scene *scene);

/* Fails the test, and says of which scene. */
void scene_fail (const Scene *scene, const char *format, ...) G_GNUC_PRINTF (2, 3);
