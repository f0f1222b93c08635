#include "case.h"
#include "reference.h"
#include "tested.h"

#include <stdarg.h>

#define MISMATCHES_SHOWN 10

static const char *const image_names[] = {
  "random", "zero",      "max",        "edge", "dots",     "checker",   "holes",
  "faint",  "dark edge", "faint edge", "HDR",  "HDR edge", "subnormal",
};
const char *const case_sample_names[] = { "u8", "u16", "u32", "half", "float", "double" };
static const char *const abyss_names[] = { "clamp", "none", "black", "white" };
static const char *const light_names[] = { "linear", "perceptual" };

const CaseFormat case_formats[CASE_FORMATS] = {
  { { FX_SAMPLE_U8, 4, TRUE }, FX_LIGHT_LINEAR },
  { { FX_SAMPLE_U8, 3, TRUE }, FX_LIGHT_PERCEPTUAL },
  { { FX_SAMPLE_U16, 2, TRUE }, FX_LIGHT_LINEAR },
  { { FX_SAMPLE_U16, 3, FALSE }, FX_LIGHT_LINEAR },
  { { FX_SAMPLE_U32, 1, TRUE }, FX_LIGHT_LINEAR },
  { { FX_SAMPLE_HALF, 4, FALSE }, FX_LIGHT_PERCEPTUAL },
  { { FX_SAMPLE_FLOAT, 4, TRUE }, FX_LIGHT_LINEAR },
  { { FX_SAMPLE_FLOAT, 1, FALSE }, FX_LIGHT_LINEAR },
  { { FX_SAMPLE_DOUBLE, 2, FALSE }, FX_LIGHT_LINEAR },
};

gboolean
case_is_integer (FxSample sample)
{
  return sample <= FX_SAMPLE_U32;
}

FxRect
case_get_region (const Case *c)
{
  return c->region.width ? c->region : (FxRect) { 0, 0, c->width, c->height };
}

gboolean
case_is_identity (const Case *c)
{
  return reference_radius (c->params.sigma_x, c->params.kernel_size) == 0 &&
         reference_radius (c->params.sigma_y, c->params.kernel_size) == 0;
}

Case
case_make (guint n, guint format, int width, int height, double sigma_x, double sigma_y)
{
  static const ImageKind kinds[] = {
    IMAGE_RANDOM, IMAGE_FAINT_EDGE, IMAGE_DOTS, IMAGE_DARK_EDGE, IMAGE_HOLES,
  };

  return (Case) {
    .seed = g_test_rand_int (),
    .kind = kinds[n % G_N_ELEMENTS (kinds)],
    .format = case_formats[format].format,
    .width = width,
    .height = height,
    .params = { .sigma_x = sigma_x,
                .sigma_y = sigma_y,
                .abyss = n / 2 % 4,
                .light = case_formats[format].light },
    .device = tested_device (),
  };
}

static char *
case_describe (const Case *c)
{
  const FxRect r = case_get_region (c);

  return g_strdup_printf ("seed %u, image \"%s\", %s, %d channels, %s (curve g %g), %dx%d, region "
                          "%dx%d at %d,%d, sigma %.9g x %.9g, "
                          "kernel %d, abyss %s, light %s",
                          c->seed, image_names[c->kind], case_sample_names[c->format.sample],
                          c->format.channels, c->format.gamma ? "gamma" : "linear", c->format.trc.g,
                          c->width, c->height, r.width, r.height, r.x, r.y, c->params.sigma_x,
                          c->params.sigma_y, c->params.kernel_size, abyss_names[c->params.abyss],
                          light_names[c->params.light]);
}

void
case_fail (const Case *c, const char *format, ...)
{
  static int shown;
  g_autofree char *what = NULL;
  g_autofree char *where = case_describe (c);
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  if (shown++ < MISMATCHES_SHOWN)
    g_test_message ("MISMATCH: %s\n  in %s", what, where);
  else if (shown == MISMATCHES_SHOWN + 1)
    g_test_message ("MISMATCH: further ones are not shown");
  g_test_fail ();
}
