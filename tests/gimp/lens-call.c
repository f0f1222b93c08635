#include "lens-call.h"

#include "../lib/memory.h"

gboolean
lens_apply (Subject subject, GimpRunMode mode, const Lens *lens, GimpPDBStatusType *status,
            char **message)
{
  const Lens given = lens ? *lens : (Lens) { 0 };
  const GimpParam params[] = {
    SUBJECT_FLOAT (given.radius),     SUBJECT_INT (given.blades),
    SUBJECT_FLOAT (given.rotation),   SUBJECT_FLOAT (given.roundness),
    SUBJECT_FLOAT (given.ring),       SUBJECT_FLOAT (given.squeeze),
    SUBJECT_FLOAT (given.highlights), SUBJECT_FLOAT (given.threshold),
    SUBJECT_INT (given.abyss),        SUBJECT_INT (given.light),
    SUBJECT_INT (given.grow),         SUBJECT_INT (given.device),
  };

  return subject_call (subject, LENS_BLUR, mode, params, lens ? G_N_ELEMENTS (params) : 0, status,
                       message);
}

/* A mask or a channel has neither light nor highlights. */
static LensParams
make_params (gint32 drawable, const Lens *lens)
{
  gboolean coverage = gimp_item_is_channel (drawable);

  return (LensParams) {
    .radius = lens->radius,
    .blades = lens->blades,
    .rotation = lens->rotation,
    .roundness = lens->roundness,
    .ring = lens->ring,
    .squeeze = lens->squeeze,
    .highlights = coverage ? 0.0 : lens->highlights,
    .threshold = lens->threshold,
    .abyss = (FxAbyss) lens->abyss,
    .light = coverage ? FX_LIGHT_LINEAR : (FxLight) lens->light,
  };
}

char *
lens_differs (const Raster *after, const Raster *before, gint32 drawable, const Lens *lens)
{
  const LensParams params = make_params (drawable, lens);
  g_autoptr (GError) error = NULL;
  g_autoptr (FxPlan) plan = lens_plan_new (&params, &before->format, &error);
  g_autoptr (FxEngine) engine = fx_engine_new ();
  g_autoptr (Raster) result = raster_copy (before);
  const Memory memory = { before->pixels, result->pixels, before->width, before->height,
                          before->format };
  FxImage image = memory_get_image (&memory);

  if (! plan || ! fx_engine_run (engine, plan, FX_DEVICE_CPU, &image, NULL, &error))
    return g_strdup_printf ("the engine itself refuses: %s", error->message);
  if (raster_bytes (after) != raster_bytes (before))
    return raster_differs (after, before);
  return subject_differs (after, result, lens->device, raster_range (before), 2.0);
}
