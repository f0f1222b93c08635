/* A plug-in of GIMP 3 that times what no script can do there: an effect changes, as if its slider
 * moved. gimp.scm calls its one procedure, bench-effect. */
#include <libgimp/gimp.h>

#define TYPE_BENCH (bench_get_type ())
G_DECLARE_FINAL_TYPE (Bench, bench, BENCH, BENCH, GimpPlugIn)

struct _Bench {
  GimpPlugIn parent;
};

G_DEFINE_FINAL_TYPE (Bench, bench, GIMP_TYPE_PLUG_IN)

static void
set_sigma (GimpDrawableFilter *effect, double sigma)
{
  g_object_set (gimp_drawable_filter_get_config (effect), "std-dev-x", sigma, "std-dev-y", sigma,
                NULL);
  gimp_drawable_filter_update (effect);
}

/* The milliseconds from a change until the whole picture has followed, as a new layer. */
static double
time_change (GimpImage *image, GimpDrawableFilter *effect, double sigma)
{
  const gint64 start = g_get_monotonic_time ();

  set_sigma (effect, sigma);
  gimp_item_delete (GIMP_ITEM (gimp_layer_new_from_visible (image, image, "")));
  return (double) (g_get_monotonic_time () - start) / 1000.0;
}

/* Adds the effect to the layer, and changes it count times. */
static GimpValueArray *
run (GimpProcedure *procedure, GimpProcedureConfig *config, G_GNUC_UNUSED gpointer data)
{
  g_autoptr (GimpDrawable) layer = NULL;
  g_autofree char *operation = NULL;
  g_autofree double *times = NULL;
  GimpDrawableFilter *effect;
  GimpImage *image;
  GimpValueArray *values;
  int count;

  g_object_get (config, "layer", &layer, "operation", &operation, "count", &count, NULL);
  image = gimp_item_get_image (GIMP_ITEM (layer));
  effect = gimp_drawable_filter_new (layer, operation, "");
  gimp_drawable_filter_set_blend_mode (effect, GIMP_LAYER_MODE_REPLACE);
  gimp_drawable_append_filter (layer, effect);
  times = g_new (double, count);
  for (int i = 0; i < count; i++)
    times[i] = time_change (image, effect, 10.0 + 0.5 * i);
  values = gimp_procedure_new_return_values (procedure, GIMP_PDB_SUCCESS, NULL);
  GIMP_VALUES_SET_DOUBLE_ARRAY (values, 1, times, count);
  return values;
}

static GList *
query_procedures (G_GNUC_UNUSED GimpPlugIn *plug_in)
{
  return g_list_append (NULL, g_strdup ("bench-effect"));
}

static GimpProcedure *
create_procedure (GimpPlugIn *plug_in, const char *name)
{
  GimpProcedure *procedure = gimp_procedure_new (plug_in, name, GIMP_PDB_PROC_TYPE_PLUGIN, run,
                                                 NULL, NULL);

  gimp_procedure_add_drawable_argument (procedure, "layer", "layer", NULL, FALSE,
                                        G_PARAM_READWRITE);
  gimp_procedure_add_string_argument (procedure, "operation", "operation", NULL, "",
                                      G_PARAM_READWRITE);
  gimp_procedure_add_int_argument (procedure, "count", "count", NULL, 1, 1000, 1,
                                   G_PARAM_READWRITE);
  gimp_procedure_add_double_array_return_value (procedure, "times", "times", NULL,
                                                G_PARAM_READWRITE);
  return procedure;
}

static gboolean
set_i18n (G_GNUC_UNUSED GimpPlugIn *plug_in, G_GNUC_UNUSED const char *procedure,
          G_GNUC_UNUSED char **domain, G_GNUC_UNUSED char **folder)
{
  return FALSE;
}

static void
bench_class_init (BenchClass *class)
{
  GimpPlugInClass *plug_in_class = GIMP_PLUG_IN_CLASS (class);

  plug_in_class->query_procedures = query_procedures;
  plug_in_class->create_procedure = create_procedure;
  plug_in_class->set_i18n = set_i18n;
}

static void
bench_init (G_GNUC_UNUSED Bench *bench)
{
}

GIMP_MAIN (TYPE_BENCH)
