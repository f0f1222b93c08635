/* Properties, as GEGL and GIMP see them. */
#include "notices.h"
#include "scene.h"
#include "test.h"

#include <gegl-plugin.h>

/* GEGL's names, in the order in which GIMP shows them. */
TEST (test_names, "/operation/params/names")
{
  static const char *const names[] = { "std-dev-x", "std-dev-y",   "kernel-size", "abyss-policy",
                                       "light",     "clip-extent", "device" };
  g_autofree GParamSpec **specs = NULL;
  guint n, shown = 0;

  specs = gegl_operation_list_properties ("cuda:gaussian-blur", &n);
  for (guint i = 0; i < n; i++)
    {
      const char *visible = gegl_operation_get_property_key ("cuda:gaussian-blur", specs[i]->name,
                                                             "visible");

      if (g_strcmp0 (visible, "0") == 0)
        continue;
      g_assert_cmpuint (shown, <, G_N_ELEMENTS (names));
      g_assert_cmpstr (specs[i]->name, ==, names[shown++]);
      g_assert_cmpint (strlen (g_param_spec_get_nick (specs[i])), >, 0);
      g_assert_cmpint (strlen (g_param_spec_get_blurb (specs[i])), >, 0);
      g_assert_null (strpbrk (g_param_spec_get_nick (specs[i]), "_:"));
    }
  g_assert_cmpuint (shown, ==, G_N_ELEMENTS (names));
}

/* The choices have the numbers of gegl:gaussian-blur's, and the plug-in's names. */
TEST (test_choices, "/operation/params/choices")
{
  static const struct {
    const char *property, *nicks[5];
  } choices[] = {
    { "abyss-policy", { "none", "clamp", "black", "white" } },
    { "light", { "linear", "perceptual" } },
    { "device", { "auto", "gpu", "cpu" } },
  };
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *blur = gegl_node_new_child (graph, "operation", "cuda:gaussian-blur", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (choices); i++)
    {
      GParamSpec *spec = gegl_node_find_property (blur, choices[i].property);
      GEnumClass *values = G_PARAM_SPEC_ENUM (spec)->enum_class;

      for (int value = 0; choices[i].nicks[value]; value++)
        g_assert_cmpstr (g_enum_get_value (values, value)->value_nick, ==, choices[i].nicks[value]);
      g_assert_cmpuint (values->n_values, ==, g_strv_length ((char **) choices[i].nicks));
    }
}

TEST (test_keys, "/operation/params/keys")
{
  static const char name[] = "cuda:gaussian-blur";

  g_assert_cmpstr (gegl_operation_get_key (name, "title"), ==, "Gaussian Blur (CUDA)");
  g_assert_cmpstr (gegl_operation_get_key (name, "gimp:menu-path"), ==, "<Image>/Filters/Blur");
  g_assert_cmpstr (gegl_operation_get_key (name, "gimp:menu-label"), ==,
                   "Gaussian Blur (_CUDA)...");
  g_assert_cmpstr (gegl_operation_get_key (name, "categories"), ==, "blur");
  /* GIMP 3 discards the effects of another version. */
  g_assert_cmpstr (gegl_operation_get_op_version (name), ==, "0:0");
}

/* GObject refuses values beyond the limits. */
TEST (test_largest, "/operation/params/largest")
{
  for (guint i = 0; i < 4; i++)
    {
      Scene scene = scene_make (i, (FxFormat) { FX_SAMPLE_U8, 4, TRUE }, FX_LIGHT_LINEAR, 40, 30,
                                i % 2 ? 5000.0 : 1e-3, i % 2 ? 0.0 : 5000.0);

      scene.c.params.kernel_size = i / 2 ? 9999 : 0;
      scene_check (&scene);
    }
}

/* For graphs within others: linear floats, as gegl:gaussian-blur's. */
TEST (test_floats, "/operation/params/floats")
{
  Scene scene = scene_make (0, (FxFormat) { FX_SAMPLE_FLOAT, 4, FALSE }, FX_LIGHT_LINEAR, 60, 50,
                            3.0, 3.0);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  g_autoptr (GeglBuffer)
    buffer = gegl_buffer_new (GEGL_RECTANGLE (0, 0, 60, 50), babl_format ("R'G'B'A u8"));
  g_autoptr (GeglBuffer) picture = scene_make_buffer (&scene);
  g_autofree double *source = NULL;
  GeglNode *blur = scene_add (&scene, graph, buffer);

  gegl_buffer_copy (picture, NULL, GEGL_ABYSS_NONE, buffer, NULL);
  source = scene_read_values (&scene, buffer);
  g_assert_true (scene_get_output (blur) == babl_format ("R'G'B'A u8"));
  gegl_node_set (blur, "floats", TRUE, NULL);
  g_assert_true (scene_get_output (blur) == scene.babl);
  scene_check_node (&scene, source, blur);
}

/* GIMP steps from 0, which is automatic, to what that stands for. */
TEST (test_kernel_size, "/operation/params/kernel-size")
{
  static const int steps[][2] = { { 2, 25 }, { 27, 27 }, { 26, 25 }, { 28, 29 }, { 1, 1 },
                                  { 2, 3 },  { 0, 0 },   { 1, 1 },   { 0, 0 },   { 40, 41 } };
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *blur = gegl_node_new_child (graph, "operation", "cuda:gaussian-blur", "std-dev-x", 3.0,
                                        "std-dev-y", 1.0, NULL);
  GeglParamSpecInt *spec = GEGL_PARAM_SPEC_INT (gegl_node_find_property (blur, "kernel-size"));

  g_assert_cmpint (spec->ui_step_small, ==, 2);
  g_assert_cmpint (spec->ui_step_big, ==, 10);
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    notices_check_step (blur, "kernel-size", steps[i][0], steps[i][1]);
}
