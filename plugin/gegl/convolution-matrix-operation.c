#include "convolve.h"
#include "message.h"
#include "operation.h"

#include <glib/gi18n-lib.h>

#define ORIGINAL      "gegl:convolution-matrix"
#define ORIGINAL_SIZE 5 /* its rows and its columns */

static const OperationProperty properties[] = {
  { .property = "values",
    .label = N_ ("Matrix (Filters > Generic > Matrix Designer edits it in cells)") },
  { .property = "divisor", .usual_minimum = -100.0, .usual_maximum = 100.0, .gamma = 1.0 },
  { .property = "offset", .usual_minimum = -1.0, .usual_maximum = 1.0, .gamma = 1.0 },
  { NULL },
};

/* The result is as large as the input. */
static void
convolve_operation_get_growth (const FilterSettings *settings, const FxGeometry *geometry, int *x,
                               int *y)
{
  *x = *y = 0;
}

static ConvolveParams
convolve_operation_get_params (const FilterSettings *settings)
{
  guint values = (guint) filter_find_property (&convolution_matrix, "values");
  const FilterMatrix *matrix = filter_settings_get_matrix (settings, values);

  return (ConvolveParams) { .rows = matrix->rows,
                            .columns = matrix->columns,
                            .values = matrix->values,
                            .divisor = filter_settings_get_named (settings, "divisor") };
}

/* Sets the values in the middle of GEGL's matrix; "a1" is the first row of the first column. */
static void
set_values (GeglNode *node, const ConvolveParams *params)
{
  int first_row = (ORIGINAL_SIZE - params->rows) / 2, i;
  int first_column = (ORIGINAL_SIZE - params->columns) / 2;

  for (i = 0; i < params->rows * params->columns; i++)
    {
      const char name[] = { (char) ('a' + first_column + i % params->columns),
                            (char) ('1' + first_row + i / params->columns), 0 };

      gegl_node_set (node, name, params->values[i], NULL);
    }
}

static void
set_channels (GeglNode *node, const FilterSettings *settings, gboolean has_sum)
{
  static const char *const names[] = { "red", "green", "blue", "alpha" };
  guint channels = (guint) filter_settings_get_named (settings, "channels"), i;

  if (channels == 0)
    channels = has_sum ? CONVOLVE_CHANNELS_ALL : CONVOLVE_CHANNELS_ALL & ~CONVOLVE_ALPHA;
  for (i = 0; i < G_N_ELEMENTS (names); i++)
    gegl_node_set (node, names[i], channels >> i & 1, NULL);
}

static GeglNode *
make_original (const FilterSettings *settings, const ConvolveParams *params, GeglNode *graph)
{
  static const GeglAbyssPolicy borders[] = {
    [FX_ABYSS_CLAMP] = GEGL_ABYSS_CLAMP,
    [FX_ABYSS_NONE] = GEGL_ABYSS_NONE,
    [FX_ABYSS_BLACK] = GEGL_ABYSS_BLACK,
    [FX_ABYSS_WHITE] = GEGL_ABYSS_WHITE,
  };
  /* With alpha-weight, GEGL does not divide by alpha: transparent parts would become dark. */
  GeglNode *node = gegl_node_new_child (
    graph, "operation", ORIGINAL, "c3", 0.0, "divisor", convolve_params_get_divisor (params),
    "offset", CLAMP (filter_settings_get_named (settings, "offset"), -1.0, 1.0), "normalize", FALSE,
    "alpha-weight", FALSE, "border", borders[(int) filter_settings_get_named (settings, "abyss")],
    NULL);

  set_values (node, params);
  set_channels (node, settings, convolve_params_get_sum (params) != 0.0);
  return node;
}

/* GEGL's own operation has 5 x 5 values. For larger matrices there is none: the pixels stay as they
 * are. */
static void
convolve_operation_link_original (const FilterSettings *settings, gboolean clip, GeglNode *graph,
                                  GeglNode *input, GeglNode *output)
{
  const ConvolveParams params = convolve_operation_get_params (settings);
  GeglNode *node = input;

  if (params.rows <= ORIGINAL_SIZE && params.columns <= ORIGINAL_SIZE)
    {
      node = make_original (settings, &params, graph);
      gegl_node_link (input, node);
    }
  else
    message_show_once (_ ("The pixels stay as they are: GEGL itself convolves with no more than "
                          "5 x 5 values"));
  gegl_node_link (node, output);
}

const OperationDescription convolution_matrix_operation = {
  .filter = &convolution_matrix,
  .type_name = "CudaConvolve",
  .categories = "generic",
  .properties = properties,
  .get_growth = convolve_operation_get_growth,
  .link = convolve_operation_link_original,
};
