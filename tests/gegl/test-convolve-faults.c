/* cuda:convolve with faults: a text that is no matrix, impossible values, an engine that fails.
 * There are pixels all the same, and one message. Each case runs in a separate process. */
#include "operation.h"
#include "matrix-scene.h"
#include "test.h"
#include "session.h"

static const FxFormat rgba = { FX_SAMPLE_U8, 4, TRUE };

/* Runs this test again: what it says has to have message in it, and nothing more. */
static void
check_said_once (const char *message)
{
  g_autofree char *once = g_strdup_printf ("*cuda-blur: *%s*", message);

  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_passed ();
  g_test_trap_assert_stderr (once);
  g_test_trap_assert_stderr_unmatched ("*cuda-blur: *cuda-blur: *");
}

static void
change_texts (const char *const *bad, guint n)
{
  MatrixScene scene = matrix_scene_make (0, rgba);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  g_autoptr (GeglBuffer) buffer = matrix_scene_make_buffer (&scene);
  GeglNode *node = matrix_scene_add (&scene, graph, buffer);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *kept = NULL;

      gegl_node_set (node, "values", bad[i], NULL);
      gegl_node_get (node, "values", &kept, NULL);
      g_assert_cmpstr (kept, ==, bad[i]);
      matrix_scene_check_unchanged (&scene, buffer, node);
      matrix_scene_set (&scene, node);
      matrix_scene_check_node (&scene, buffer, node, NULL);
    }
}

/* A text that is no matrix leaves the input unchanged, however often the text changes; the next
 * valid matrix takes effect again. */
TEST (test_text, "/convolve-faults/text")
{
  static const char *const bad[] = { "1 2 x", "", "1 2", "1 2 3\n4 5", "nan", "1 2 1e999" };

  if (! g_test_subprocess ())
    {
      check_said_once ("The cell in row 1, column 3 is 'x', but must be a finite number: the "
                       "pixels stay as they are");
      return;
    }
  session_start ();
  change_texts (bad, G_N_ELEMENTS (bad));
  session_end ();
}

/* So do values that make infinity. */
static void
divide (double divisor)
{
  MatrixScene scene = matrix_scene_make (0, rgba);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  g_autoptr (GeglBuffer) buffer = matrix_scene_make_buffer (&scene);
  GeglNode *node = matrix_scene_add (&scene, graph, buffer);

  gegl_node_set (node, "divisor", divisor, NULL);
  matrix_scene_check_unchanged (&scene, buffer, node);
}

TEST (test_infinity, "/convolve-faults/infinity")
{
  if (g_test_subprocess ())
    {
      session_start ();
      divide (1e-38);
      session_end ();
      return;
    }
  check_said_once ("divisor is 1e-38, which makes the values infinite: the pixels stay as they "
                   "are");
}

/* GEGL's own operations, which take over if the engine fails on every device. */

static FilterSettings *
make_settings (const ConvolveParams *params)
{
  const FilterDescription *filter = convolution_matrix_operation.filter;
  FilterSettings *settings = filter_settings_new (filter);
  g_autoptr (FilterMatrix)
    matrix = filter_matrix_new (params->rows, params->columns, params->rows * params->columns,
                                params->values);
  const struct {
    const char *name;
    double value;
  } numbers[] = { { "divisor", params->divisor },
                  { "offset", params->offset },
                  { "channels", params->channels },
                  { "abyss", params->abyss } };

  filter_settings_set_matrix (settings, filter_find_property (filter, "values"), matrix);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    filter_settings_set (settings, filter_find_property (filter, numbers[i].name),
                         numbers[i].value);
  return settings;
}

static void
replace (const MatrixScene *scene, gboolean unchanged)
{
  g_autoptr (FilterSettings) settings = make_settings (&scene->params);
  g_autoptr (GeglBuffer) buffer = matrix_scene_make_buffer (scene);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *source = gegl_node_new_child (graph, "operation", "gegl:buffer-source", "buffer",
                                          buffer, NULL);
  GeglNode *last = gegl_node_new_child (graph, "operation", "gegl:nop", NULL);

  convolution_matrix_operation.link (settings, TRUE, graph, source, last);
  if (unchanged)
    matrix_scene_check_unchanged (scene, buffer, last);
  else
    matrix_scene_check_node (scene, buffer, last, NULL);
}

/* GEGL's own convolves straight, in linear light. */
TEST (test_original, "/convolve-faults/original")
{
  if (! g_test_subprocess ())
    {
      g_test_trap_subprocess (NULL, 0, 0);
      g_test_trap_assert_passed ();
      g_test_trap_assert_stderr_unmatched ("*cuda-blur*");
      return;
    }
  session_start ();
  for (guint n = 0; n < 40; n++)
    {
      MatrixScene scene = matrix_scene_make (n, (FxFormat) { FX_SAMPLE_FLOAT, 3, FALSE });

      scene.params.light = FX_LIGHT_LINEAR;
      if (scene.params.columns <= 5)
        replace (&scene, FALSE);
    }
  session_end ();
}

TEST (test_too_large, "/convolve-faults/too-large")
{
  MatrixScene scene = matrix_scene_make (3, rgba); /* of nine columns */

  if (! g_test_subprocess ())
    {
      check_said_once ("The pixels stay as they are: GEGL itself convolves with no more than 5 x 5 "
                       "values");
      return;
    }
  session_start ();
  replace (&scene, TRUE);
  replace (&scene, TRUE);
  session_end ();
}
