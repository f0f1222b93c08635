#include "lens-call.h"

#include "../lib/memory.h"

/* Returns how many they are. */
static int
fill_params (GimpParam *params, const Lens *lens)
{
  const GimpParam filled[] = {
    { GIMP_PDB_FLOAT, { .d_float = lens->radius } },
    { GIMP_PDB_INT32, { .d_int32 = lens->blades } },
    { GIMP_PDB_FLOAT, { .d_float = lens->rotation } },
    { GIMP_PDB_FLOAT, { .d_float = lens->roundness } },
    { GIMP_PDB_FLOAT, { .d_float = lens->ring } },
    { GIMP_PDB_FLOAT, { .d_float = lens->squeeze } },
    { GIMP_PDB_FLOAT, { .d_float = lens->highlights } },
    { GIMP_PDB_FLOAT, { .d_float = lens->threshold } },
    { GIMP_PDB_INT32, { .d_int32 = lens->abyss } },
    { GIMP_PDB_INT32, { .d_int32 = lens->light } },
    { GIMP_PDB_INT32, { .d_int32 = lens->grow } },
    { GIMP_PDB_INT32, { .d_int32 = lens->device } },
  };

  memcpy (params, filled, sizeof filled);
  return G_N_ELEMENTS (filled);
}

gboolean
lens_apply (Subject subject, GimpRunMode mode, const Lens *lens, GimpPDBStatusType *status,
            char **message)
{
  GimpParam params[15] = {
    { GIMP_PDB_INT32, { .d_int32 = mode } },
    { GIMP_PDB_IMAGE, { .d_image = subject.image } },
    { GIMP_PDB_DRAWABLE, { .d_drawable = subject.drawable } },
  };
  gint n_params = 3, n_values;
  GimpParam *values;

  if (lens)
    n_params += fill_params (params + 3, lens);
  values = gimp_run_procedure2 (LENS_BLUR, &n_values, n_params, params);
  *status = values[0].data.d_status;
  gimp_destroy_params (values, n_values);
  *message = *status == GIMP_PDB_SUCCESS
               ? NULL
               : g_strdup_printf ("status %d: %s", *status, gimp_get_pdb_error ());
  return *status == GIMP_PDB_SUCCESS;
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
