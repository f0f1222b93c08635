#include "scene.h"

#include "compare.h"
#include "picture.h"
#include "reference.h"
#include "tested.h"

#include <gegl-plugin.h>

static const SceneCurve srgb = { reference_to_linear, reference_to_gamma };

/* The operation's numbers of the abyss policies. */
static const int abysses[] = {
  [FX_ABYSS_CLAMP] = 1,
  [FX_ABYSS_NONE] = 0,
  [FX_ABYSS_BLACK] = 2,
  [FX_ABYSS_WHITE] = 3,
};

/* Scenes */

const Babl *
scene_get_babl (const FxFormat *format, char gamma, const Babl *space)
{
  const gboolean grey = format->channels <= 2;
  g_autofree char *mark = format->gamma ? g_strdup_printf ("%c", gamma) : g_strdup ("");
  g_autofree char *color = grey ? g_strdup_printf ("Y%s", mark)
                                : g_strdup_printf ("R%sG%sB%s", mark, mark, mark);
  g_autofree char *name = g_strdup_printf ("%s%s %s", color, format->channels % 2 ? "" : "A",
                                           case_sample_names[format->sample]);

  return babl_format_with_space (name, space);
}

Scene
scene_make (guint n, FxFormat format, FxLight light, int width, int height, double sigma_x,
            double sigma_y)
{
  Scene scene = { .c = case_make (n, 0, width, height, sigma_x, sigma_y) };

  scene.c.format = format;
  scene.c.params.light = light;
  scene.babl = scene_get_babl (&format, '\'', NULL);
  return scene;
}

GeglRectangle
scene_get_rect (const Scene *scene)
{
  const FxRect region = case_get_region (&scene->c);

  return (GeglRectangle) { scene->x + region.x, scene->y + region.y, region.width, region.height };
}

/* Buffers */

static gpointer
make_picture (const Scene *scene)
{
  const Case *c = &scene->c;
  gpointer samples = picture_new (c);

  if (scene->least > 0.0)
    for (gsize i = 0; i < (gsize) c->width * c->height * c->format.channels; i++)
      {
        const double value = reference_decode (c->format.sample, samples, i);

        reference_encode (c->format.sample, scene->least + (1.0 - scene->least) * value, samples,
                          i);
      }
  return samples;
}

GeglBuffer *
scene_make_buffer (const Scene *scene)
{
  const GeglRectangle extent = { scene->x, scene->y, scene->c.width, scene->c.height };
  GeglBuffer *buffer = gegl_buffer_new (&extent, scene->babl);
  g_autofree gpointer samples = make_picture (scene);

  gegl_buffer_set (buffer, &extent, 0, scene->babl, samples, GEGL_AUTO_ROWSTRIDE);
  return buffer;
}

double *
scene_read_values (const Scene *scene, GeglBuffer *buffer)
{
  const GeglRectangle extent = { scene->x, scene->y, scene->c.width, scene->c.height };
  const gsize pixel = babl_format_get_bytes_per_pixel (scene->babl);
  g_autofree gpointer samples = g_malloc (pixel * extent.width * extent.height);

  gegl_buffer_get (buffer, &extent, 1.0, scene->babl, samples, GEGL_AUTO_ROWSTRIDE,
                   GEGL_ABYSS_NONE);
  return case_decode (&scene->c, samples);
}

/* Nodes */

void
scene_set (const Scene *scene, GeglNode *blur)
{
  const BlurParams *params = &scene->c.params;

  gegl_node_set (blur, "std-dev-x", params->sigma_x, "std-dev-y", params->sigma_y, "kernel-size",
                 params->kernel_size, "abyss-policy", abysses[params->abyss], "light",
                 (int) params->light, "device", (int) scene->c.device, "clip-extent",
                 ! scene->extended, NULL);
}

GeglNode *
scene_add_blur (const Scene *scene, GeglNode *graph)
{
  GeglNode *blur = gegl_node_new_child (graph, "operation", "cuda:gaussian-blur", NULL);

  scene_set (scene, blur);
  return blur;
}

GeglNode *
scene_add (const Scene *scene, GeglNode *graph, GeglBuffer *buffer)
{
  GeglNode *source = gegl_node_new_child (graph, "operation", "gegl:buffer-source", "buffer",
                                          buffer, NULL);
  GeglNode *blur = scene_add_blur (scene, graph);

  gegl_node_link (source, blur);
  return blur;
}

const Babl *
scene_get_output (GeglNode *node)
{
  gegl_node_get_bounding_box (node); /* prepares it */
  return gegl_operation_get_format (gegl_node_get_gegl_operation (node), "output");
}

/* The reference, by the scene's curve */

static void
convert (const Scene *scene, double (*by) (double), double *values, gsize n)
{
  const int channels = scene->c.format.channels;

  for (gsize i = 0; i < n * channels; i++)
    if (channels % 2 == 1 || (int) (i % channels) < channels - 1)
      values[i] = by (values[i]);
}

/* Convert stored values to the light in which pixels are averaged, and back. */
static void
convert_light (const Scene *scene, gboolean back, double *values, gsize n)
{
  const gboolean gamma = scene->c.format.gamma;
  const SceneCurve *curve = scene->curve ? scene->curve : &srgb;

  if (gamma == (scene->c.params.light == FX_LIGHT_LINEAR))
    convert (scene, gamma == back ? curve->to_gamma : curve->to_linear, values, n);
}

double *
scene_expect (const Scene *scene, const double *source)
{
  const Case *c = &scene->c;
  const FxFormat plain = { .sample = FX_SAMPLE_DOUBLE, .channels = c->format.channels };
  const FxRect region = case_get_region (c);
  const gsize n = (gsize) c->width * c->height;
  g_autofree double *values = g_memdup2 (source, n * plain.channels * sizeof *source);
  BlurParams params = c->params;
  double *result;

  params.light = FX_LIGHT_LINEAR;
  if (scene->extended)
    params.abyss = FX_ABYSS_NONE;
  convert_light (scene, FALSE, values, n);
  result = reference_blur (&params, &plain, c->width, c->height, &region, values);
  convert_light (scene, TRUE, result, (gsize) region.width * region.height);
  return result;
}

/* Judgement */

static void
check_verdict (const Scene *scene, const Verdict *v, double slack)
{
  const FxSample sample = scene->c.format.sample;
  const double quota = sample == FX_SAMPLE_U8 ? 0.99 : sample == FX_SAMPLE_U16 ? 0.5 : 0.0;
  const FxRect region = case_get_region (&scene->c);
  const gsize pixel = v->place / scene->c.format.channels;

  if (v->worst > slack)
    case_fail (&scene->c,
               "%s at %d,%d, %s: %.3f times the bound at %d,%d channel %d: expected %.9g, got %.9g",
               babl_get_name (scene->babl), scene->x, scene->y,
               scene->extended ? "extended" : "clipped", v->worst,
               region.x + (int) (pixel % region.width), region.y + (int) (pixel / region.width),
               (int) (v->place % scene->c.format.channels), v->expected, v->got);
  else if (slack <= 1.0 && v->compared >= 1000 && v->equal < quota * v->compared)
    case_fail (&scene->c, "%s: only %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " samples equal",
               babl_get_name (scene->babl), v->equal, v->compared);
}

void
scene_judge (const Scene *scene, const double *source, const double *expected, gconstpointer result,
             double slack)
{
  const Case *c = &scene->c;
  const Verdict v = compare_values (c, expected, result, case_get_range (c, source));

  check_verdict (scene, &v, slack);
}

void
scene_check_node (const Scene *scene, const double *source, GeglNode *node)
{
  const GeglRectangle rect = scene_get_rect (scene);
  const gsize pixel = babl_format_get_bytes_per_pixel (scene->babl);
  g_autofree gpointer result = g_malloc (pixel * rect.width * rect.height);
  g_autofree double *expected = scene_expect (scene, source);

  gegl_node_blit (node, 1.0, &rect, scene->babl, result, GEGL_AUTO_ROWSTRIDE, GEGL_BLIT_DEFAULT);
  scene_judge (scene, source, expected, result, 1.0);
}

void
scene_check (const Scene *scene)
{
  g_autoptr (GeglNode) graph = gegl_node_new ();
  g_autoptr (GeglBuffer) buffer = scene_make_buffer (scene);
  g_autofree double *source = scene_read_values (scene, buffer);
  GeglNode *blur = scene_add (scene, graph, buffer);

  if (scene_get_output (blur) != scene->babl)
    case_fail (&scene->c, "%s became %s", babl_get_name (scene->babl),
               babl_get_name (scene_get_output (blur)));
  scene_check_node (scene, source, blur);
}
