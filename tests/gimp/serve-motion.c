#include "serve-motion.h"

#include <stdio.h>

#include "motion.h"

#include "../lib/memory.h"

char *
serve_motion_check (ServeImage *image, const char *what)
{
  const Raster *before = image->original;
  g_autoptr (Raster) after = subject_read (image->subject.drawable);
  g_autoptr (Raster) result = raster_copy (before);
  const Memory memory = { before->pixels, result->pixels, before->width, before->height,
                          before->format };
  const FxGeometry geometry = { .width = before->width, .height = before->height };
  FxImage picture = memory_get_image (&memory);
  g_autoptr (FxEngine) engine = fx_engine_new ();
  g_autoptr (FxPlan) plan = NULL;
  MotionParams params = { 0 };
  int kind;
  char *problem;

  if (! what || sscanf (what, "%d %lf %lf %lf %lf %lf", &kind, &params.length, &params.angle,
                        &params.factor, &params.center_x, &params.center_y) < 6)
    return g_strdup ("blurred how?");
  params.kind = (MotionKind) kind;
  plan = motion_plan_new (&params, &before->format, &geometry, NULL);
  if (! plan || ! fx_engine_run (engine, plan, FX_DEVICE_CPU, &picture, NULL, NULL))
    return g_strdup ("the engine itself refuses");
  problem = subject_differs (after, result, image->args.device, raster_range (before), 2.0);
  return problem ? problem : g_strdup ("ok");
}
