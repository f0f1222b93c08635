#include "matrix-scene.h"

#include "correlation.h"
#include "reference.h"

#include <math.h>

static const double soft[] = { 1.1, 2, 1, 3, 5.3, 2, 1, 2, 4 };
static const double edges[] = { -1, 0, 1, -2, 0, 2, -1, 0, 1 };
static const double crooked[] = { 0.53, -0.27, 0.71, 0.13, -0.52, 1.07,  0.0,  0.24,
                                  0.5,  -1.03, 0.0,  0.73, 0.49,  -0.97, -0.11 };
static const double row[] = { 0.3, 0.1, 0.4, 0.1, 0.5, 0.9, 0.2, 0.6, 0.5 };

MatrixScene
matrix_scene_make (guint n, FxFormat format)
{
  const ConvolveParams matrices[] = {
    { .rows = 3, .columns = 3, .values = soft },
    { .rows = 3, .columns = 3, .values = edges, .divisor = 4.0, .offset = 0.47 },
    { .rows = 3,
      .columns = 5,
      .values = crooked,
      .offset = 0.11,
      .alpha = CONVOLVE_ALPHA_STRAIGHT },
    { .rows = 1, .columns = 9, .values = row, .channels = 5 },
    { .rows = 5, .columns = 3, .values = crooked, .channels = 7 },
  };
  MatrixScene scene = { .format = format,
                        .params = matrices[n % G_N_ELEMENTS (matrices)],
                        .device = FX_DEVICE_AUTO,
                        .width = 67,
                        .height = 53,
                        .x = -9,
                        .y = 4 };

  scene.params.abyss = (FxAbyss) (n / 2 % 4);
  scene.params.light = (FxLight) (n / 3 % 2);
  return scene;
}

const Babl *
matrix_scene_get_babl (const MatrixScene *scene)
{
  static const char *const models[2][4] = { { "Y", "YA", "RGB", "RGBA" },
                                            { "Y'", "Y'A", "R'G'B'", "R'G'B'A" } };
  static const char *const samples[] = { "u8", "u16", "u32", "half", "float", "double" };
  const FxFormat *format = &scene->format;
  g_autofree char *name = g_strconcat (models[format->gamma][format->channels - 1], " ",
                                       samples[format->sample], NULL);

  return babl_format (name);
}

GeglRectangle
matrix_scene_get_rect (const MatrixScene *scene)
{
  return (GeglRectangle) { scene->x, scene->y, scene->width, scene->height };
}

GeglBuffer *
matrix_scene_make_buffer (const MatrixScene *scene)
{
  const GeglRectangle extent = matrix_scene_get_rect (scene);
  const FxFormat *format = &scene->format;
  const gsize count = (gsize) scene->width * scene->height * format->channels;
  g_autofree gpointer samples = g_malloc (count * fx_sample_size (format->sample));
  GeglBuffer *buffer = gegl_buffer_new (&extent, matrix_scene_get_babl (scene));

  for (gsize i = 0; i < count; i++)
    {
      const gboolean alpha = format->channels % 2 == 0 && (i + 1) % format->channels == 0;

      reference_encode (format->sample, g_test_rand_double_range (alpha ? 0.3 : 0.0, 1.0), samples,
                        i);
    }
  gegl_buffer_set (buffer, &extent, 0, NULL, samples, GEGL_AUTO_ROWSTRIDE);
  return buffer;
}

/* Nodes. */

char *
matrix_scene_print (const MatrixScene *scene, gboolean lines)
{
  const ConvolveParams *params = &scene->params;
  GString *text = g_string_new (NULL);
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (! lines)
    g_string_printf (text, "%dx%d:", params->rows, params->columns);
  for (int i = 0; i < params->rows * params->columns; i++)
    g_string_append_printf (text, "%s%s", lines && i % params->columns == 0 ? "\n" : " ",
                            g_ascii_dtostr (number, sizeof number, params->values[i]));
  return g_string_free (text, FALSE);
}

void
matrix_scene_set (const MatrixScene *scene, GeglNode *node)
{
  const ConvolveParams *params = &scene->params;
  g_autofree char *text = matrix_scene_print (scene, params->rows > 1);

  gegl_node_set (node, "values", text, "divisor", params->divisor, "offset", params->offset,
                 "channels", (int) params->channels, "alpha-weighting", (int) params->alpha,
                 "abyss", (int) params->abyss, "light", (int) params->light, "device",
                 (int) scene->device, NULL);
}

GeglNode *
matrix_scene_add (const MatrixScene *scene, GeglNode *graph, GeglBuffer *buffer)
{
  GeglNode *source = gegl_node_new_child (graph, "operation", "gegl:buffer-source", "buffer",
                                          buffer, NULL);
  GeglNode *node = gegl_node_new_child (graph, "operation", MATRIX_OPERATION, NULL);

  matrix_scene_set (scene, node);
  gegl_node_link (source, node);
  return node;
}

/* Judgement. */

static gpointer
read_buffer (const MatrixScene *scene, GeglBuffer *buffer)
{
  const GeglRectangle extent = matrix_scene_get_rect (scene);
  gpointer samples = g_malloc (fx_format_size (&scene->format) * extent.width * extent.height);

  gegl_buffer_get (buffer, &extent, 1.0, matrix_scene_get_babl (scene), samples,
                   GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  return samples;
}

static gpointer
ask (const MatrixScene *scene, GeglNode *node, const GeglRectangle *part)
{
  gpointer samples = g_malloc (fx_format_size (&scene->format) * part->width * part->height);

  gegl_node_blit (node, 1.0, part, matrix_scene_get_babl (scene), samples, GEGL_AUTO_ROWSTRIDE,
                  GEGL_BLIT_DEFAULT);
  return samples;
}

/* Returns the permitted error of a sample, by convolve.h. */
static double
get_bound (const MatrixScene *scene, double expected)
{
  const double gain = correlation_get_gain (&scene->params);

  switch (scene->format.sample)
    {
    case FX_SAMPLE_U8:
      return 1.0 / 255.0;
    case FX_SAMPLE_U16:
      return 2.0 / 65535.0;
    case FX_SAMPLE_HALF:
      return gain * fmax (1e-5, ldexp (1.0, MAX (ilogb (expected), -14) - 10));
    default:
      return gain * 1e-5;
    }
}

static double *
expect (const MatrixScene *scene, gconstpointer samples)
{
  const gsize count = (gsize) scene->width * scene->height * scene->format.channels;
  g_autofree double *source = g_new (double, count);

  for (gsize i = 0; i < count; i++)
    source[i] = reference_decode (scene->format.sample, samples, i);
  return correlation_get_values (&scene->params, &scene->format, scene->width, scene->height,
                                 source);
}

/* Rounding may add half a level. */
static void
judge (const MatrixScene *scene, const GeglRectangle *part, const double *expected,
       gconstpointer result)
{
  const int channels = scene->format.channels;
  const FxSample sample = scene->format.sample;
  const double slack = sample == FX_SAMPLE_U8    ? 0.5 / 255.0
                       : sample == FX_SAMPLE_U16 ? 0.5 / 65535.0
                                                 : 0.0;

  for (gsize i = 0; i < (gsize) part->width * part->height * channels; i++)
    {
      const int x = part->x - scene->x + (int) (i / channels % part->width);
      const int y = part->y - scene->y + (int) (i / channels / part->width);
      const double value = expected[((gsize) y * scene->width + x) * channels + i % channels];
      const double got = reference_decode (sample, result, i);

      if (! (fabs (got - value) <= get_bound (scene, value) + slack))
        g_error ("%s, %d x %d: at %d,%d channel %d: expected %.9g, got %.9g",
                 babl_get_name (matrix_scene_get_babl (scene)), scene->params.rows,
                 scene->params.columns, x, y, (int) (i % channels), value, got);
    }
}

void
matrix_scene_check_node (const MatrixScene *scene, GeglBuffer *buffer, GeglNode *node,
                         const GeglRectangle *part)
{
  const GeglRectangle all = matrix_scene_get_rect (scene);
  g_autofree gpointer samples = read_buffer (scene, buffer);
  g_autofree gpointer result = ask (scene, node, part ? part : &all);
  g_autofree double *expected = expect (scene, samples);

  judge (scene, part ? part : &all, expected, result);
}

void
matrix_scene_check_unchanged (const MatrixScene *scene, GeglBuffer *buffer, GeglNode *node)
{
  const GeglRectangle all = matrix_scene_get_rect (scene);
  const gsize size = fx_format_size (&scene->format) * all.width * all.height;
  g_autofree gpointer samples = read_buffer (scene, buffer);
  g_autofree gpointer result = ask (scene, node, &all);

  g_assert_cmpmem (result, size, samples, size);
}

void
matrix_scene_check (const MatrixScene *scene)
{
  g_autoptr (GeglNode) graph = gegl_node_new ();
  g_autoptr (GeglBuffer) buffer = matrix_scene_make_buffer (scene);

  matrix_scene_check_node (scene, buffer, matrix_scene_add (scene, graph, buffer), NULL);
}
