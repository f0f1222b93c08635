#include "soak-node.h"

#include "watch.h"

#define BLUR_NODE     "cuda:gaussian-blur"
#define CONVOLVE_NODE "cuda:convolve"

gboolean
soak_node_works (void)
{
  return gegl_has_operation (BLUR_NODE) && gegl_has_operation (CONVOLVE_NODE);
}

static GeglNode *
add_blur (GeglNode *graph, const Args *args)
{
  static const int abysses[] = { /* as the operation has them */
                                 [FX_ABYSS_CLAMP] = 1,
                                 [FX_ABYSS_NONE] = 0,
                                 [FX_ABYSS_BLACK] = 2,
                                 [FX_ABYSS_WHITE] = 3
  };

  return gegl_node_new_child (graph, "operation", BLUR_NODE, "std-dev-x", args->sigma_x,
                              "std-dev-y", args->sigma_y, "kernel-size", args->kernel_size,
                              "abyss-policy", abysses[args->abyss], "light", args->light, "device",
                              args->device, "clip-extent", TRUE, NULL);
}

/* Returns a matrix as the operation's text: rows are lines, or follow their size. */
static char *
print_matrix (const Convolution *own)
{
  GString *text = g_string_new (NULL);
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_printf (text, "%dx%d:", own->rows, own->columns);
  for (int i = 0; i < own->count; i++)
    g_string_append_printf (text, " %s", g_ascii_dtostr (number, sizeof number, own->values[i]));
  return g_string_free (text, FALSE);
}

static GeglNode *
add_convolution (GeglNode *graph, const Convolution *own)
{
  g_autofree char *text = print_matrix (own);

  return gegl_node_new_child (graph, "operation", CONVOLVE_NODE, "values", text, "divisor",
                              own->divisor, "offset", own->offset, "channels", own->channels,
                              "alpha-weighting", own->weighting, "abyss", own->abyss, "light",
                              own->light, "device", own->device, NULL);
}

Raster *
soak_node_run (const SoakCall *call, Subject subject, const Raster *before)
{
  const Babl *format = gimp_drawable_get_format (subject.drawable);
  const GeglRectangle extent = { 0, 0, before->width, before->height };
  g_autoptr (GeglBuffer) buffer = gegl_buffer_new (&extent, format);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *source = gegl_node_new_child (graph, "operation", "gegl:buffer-source", "buffer",
                                          buffer, NULL);
  GeglNode *node = soak_call_blurs (call) ? add_blur (graph, &call->args)
                                          : add_convolution (graph, &call->own);
  Raster *after = raster_new (&before->format, before->width, before->height);

  gegl_buffer_set (buffer, &extent, 0, format, before->pixels, GEGL_AUTO_ROWSTRIDE);
  gegl_node_link (source, node);
  alarm (CALL_SECONDS);
  gegl_node_blit (node, 1.0, &extent, format, after->pixels, GEGL_AUTO_ROWSTRIDE,
                  GEGL_BLIT_DEFAULT);
  alarm (0);
  return after;
}
