#include "serve-image.h"

#include <stdio.h>

#include "profile.h"
#include "scene.h"

#define WIDTH  360
#define HEIGHT 300
#define FINEST 400 /* colours along the longer side of a large image */
#define SEED   1

void
serve_image_init (ServeImage *image)
{
  *image = (ServeImage) { .subject = { -1, -1 }, .display = -1 };
}

void
serve_image_clear (ServeImage *image)
{
  raster_free (image->original);
}

/* Making it. */

/* A picture that is shown small must not become one grey even without a blur. */
static Raster *
make_pixels (const FxFormat *format, int width, int height, guint32 seed)
{
  int block = MAX (1, MAX (width, height) / FINEST);
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  g_autoptr (Raster)
    small = raster_new (format, (width + block - 1) / block, (height + block - 1) / block);

  raster_fill (small, rand, FALSE);
  return raster_magnify (small, block, width, height);
}

/* So that nothing but the layer's own pixels can be what is seen or undone. */
static void
add_mask (gint32 layer)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (SEED);
  gint32 mask = gimp_layer_create_mask (layer, GIMP_ADD_MASK_WHITE);

  gimp_layer_add_mask (layer, mask);
  subject_fill (mask, rand, FALSE);
  gimp_layer_set_edit_mask (layer, FALSE);
  gimp_layer_set_offsets (layer, 10, -15);
}

static gboolean
find_type (const char *name, GimpImageType *type)
{
  static const struct {
    const char *name;
    GimpImageType type;
  } types[] = {
    { "rgb", GIMP_RGB_IMAGE },
    { "rgba", GIMP_RGBA_IMAGE },
    { "grey", GIMP_GRAY_IMAGE },
    { "greya", GIMP_GRAYA_IMAGE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (strcmp (name, types[i].name) == 0)
      {
        *type = types[i].type;
        return TRUE;
      }
  return FALSE;
}

static GimpPrecision
get_precision (const char *name)
{
  return strcmp (name, "16") == 0      ? GIMP_PRECISION_U16_GAMMA
         : strcmp (name, "float") == 0 ? GIMP_PRECISION_FLOAT_LINEAR
                                       : GIMP_PRECISION_U8_GAMMA;
}

/* The old display goes last: GIMP would otherwise have none for a moment. */
static void
show (ServeImage *image)
{
  gint32 old = image->display;

  gimp_image_undo_disable (image->subject.image); /* drops the steps made so far */
  gimp_image_undo_enable (image->subject.image);
  gimp_image_clean_all (image->subject.image);
  image->display = gimp_display_new (image->subject.image);
  if (old != -1)
    gimp_display_delete (old);
  gimp_displays_flush ();
}

char *
serve_image_make (ServeImage *image, const char *what)
{
  char name[8] = "", precision[8] = "8";
  int width = WIDTH, height = HEIGHT;
  GimpImageType type;
  FxFormat format;

  if (! what || sscanf (what, "%7s %dx%d %7s", name, &width, &height, precision) < 1 ||
      ! find_type (name, &type))
    return g_strdup ("what image?");
  raster_free (image->original);
  image->kept = 0;
  image->subject = subject_new_empty (get_precision (precision), type, width, height);
  format = subject_format (image->subject.drawable);
  image->original = make_pixels (&format, width, height, SEED);
  subject_write (image->subject.drawable, image->original);
  if (gimp_drawable_has_alpha (image->subject.drawable))
    add_mask (image->subject.drawable);
  show (image);
  return g_strdup ("ok");
}

/* Changing it. */

char *
serve_image_paint (ServeImage *image, const char *where)
{
  g_autoptr (Raster) part = NULL;
  FxRect rect;

  if (! where || sscanf (where, "%d %d %d %d", &rect.x, &rect.y, &rect.width, &rect.height) < 4 ||
      rect.x + rect.width > image->original->width ||
      rect.y + rect.height > image->original->height)
    return g_strdup ("paint where?");
  part = make_pixels (&image->original->format, rect.width, rect.height, SEED + 1);
  raster_put (image->original, part, rect.x, rect.y);
  subject_write (image->subject.drawable, image->original);
  gimp_displays_flush ();
  return g_strdup ("ok");
}

char *
serve_image_set_profile (ServeImage *image, const char *levels)
{
  Raster *original = image->original;
  int channels = original->format.channels, colour[3] = { 0 };
  g_autoptr (GBytes) icc = profile_new_from_gamma (1.8, NULL, TRUE);
  GimpColorProfile *profile = channels == 1
                                ? gimp_color_profile_new_from_icc_profile (g_bytes_get_data (icc,
                                                                                             NULL),
                                                                           g_bytes_get_size (icc),
                                                                           NULL)
                                : gimp_color_profile_new_rgb_adobe ();

  sscanf (levels ? levels : "", "%d %d %d", &colour[0], &colour[1], &colour[2]);
  for (gsize i = 0; i < raster_bytes (original); i++)
    original->pixels[i] = (guint8) colour[i % channels];
  gimp_image_set_color_profile (image->subject.image, profile);
  g_object_unref (profile);
  subject_write (image->subject.drawable, original);
  gimp_displays_flush ();
  return g_strdup ("ok");
}

char *
serve_image_select (ServeImage *image, const char *where)
{
  FxRect rect;
  double feather;

  if (! where ||
      sscanf (where, "%d %d %d %d %lf", &rect.x, &rect.y, &rect.width, &rect.height, &feather) < 5)
    return g_strdup ("select what?");
  gimp_context_set_feather (feather > 0.0);
  gimp_context_set_feather_radius (feather, feather);
  if (rect.width > 0)
    gimp_image_select_rectangle (image->subject.image, GIMP_CHANNEL_OP_REPLACE, rect.x, rect.y,
                                 rect.width, rect.height);
  else
    gimp_selection_none (image->subject.image);
  gimp_displays_flush ();
  return g_strdup ("ok");
}

static void
set_active (const ServeImage *image, const char *what)
{
  gint32 subject = image->subject.image;
  gboolean grey = gimp_image_base_type (subject) == GIMP_GRAY;

  if (grey)
    gimp_image_set_component_active (subject, GIMP_CHANNEL_GRAY, strcmp (what, "grey") != 0);
  else
    {
      gimp_image_set_component_active (subject, GIMP_CHANNEL_RED, strcmp (what, "red") != 0);
      gimp_image_set_component_active (subject, GIMP_CHANNEL_ALPHA, strcmp (what, "alpha") != 0);
    }
  gimp_layer_set_lock_alpha (image->subject.drawable, strcmp (what, "lock") == 0);
}

char *
serve_image_keep (ServeImage *image, const char *what)
{
  int alpha = image->original->format.channels - 1;

  if (! what)
    return g_strdup ("keep what?");
  set_active (image, what);
  image->kept = strcmp (what, "lock") == 0 || strcmp (what, "alpha") == 0 ? 1u << alpha
                : strcmp (what, "none") == 0                              ? 0
                                                                          : 1;
  return g_strdup ("ok");
}

char *
serve_image_edit_mask (ServeImage *image, const char *unused)
{
  gimp_layer_set_edit_mask (image->subject.drawable, TRUE);
  gimp_displays_flush ();
  return g_strdup ("ok");
}

/* The expected blur. */

char *
serve_image_set_settings (ServeImage *image, const char *values)
{
  Args *args = &image->args;

  *args = (Args) { 0 };
  if (! values || sscanf (values, "%lf %d %d", &args->sigma_x, &args->grow, &args->kernel_size) < 2)
    return g_strdup ("what settings?");
  args->sigma_y = args->sigma_x;
  subject_set_last_values (args);
  return g_strdup ("ok");
}

char *
serve_image_expect (ServeImage *image, const char *values)
{
  Args *args = &image->args;

  *args = (Args) { 0 };
  if (! values || sscanf (values, "%lf %lf %d %d %d %d", &args->sigma_x, &args->sigma_y,
                          &args->kernel_size, &args->abyss, &args->light, &args->grow) < 6)
    return g_strdup ("expect what?");
  return g_strdup ("ok");
}

void
serve_image_get_growth (const ServeImage *image, int *x, int *y)
{
  BlurParams params = subject_params (image->subject.drawable, &image->args);

  *x = *y = 0;
  if (image->args.grow)
    blur_params_get_growth (&params, x, y);
}

double *
serve_image_get_selection (const ServeImage *image)
{
  return gimp_selection_is_empty (image->subject.image) ? NULL : subject_selection (image->subject);
}

/* Looking at the layer. */

char *
serve_image_get_state (ServeImage *image, const char *unused)
{
  gint32 mask = gimp_layer_get_mask (image->subject.drawable);
  g_autoptr (Raster) pixels = subject_read (image->subject.drawable);
  g_autoptr (Raster) coverage = mask == -1 ? NULL : subject_read (mask);
  g_autofree char *sum = g_compute_checksum_for_data (G_CHECKSUM_MD5, pixels->pixels,
                                                      raster_bytes (pixels));
  g_autofree char *mask_sum = NULL;
  gint x, y;

  if (coverage)
    mask_sum = g_compute_checksum_for_data (G_CHECKSUM_MD5, coverage->pixels,
                                            raster_bytes (coverage));
  gimp_drawable_offsets (image->subject.drawable, &x, &y);
  return g_strdup_printf ("%dx%d%+d%+d %s %s", pixels->width, pixels->height, x, y, sum,
                          mask_sum ? mask_sum : "-");
}

char *
serve_image_get_layer (ServeImage *image, const char *unused)
{
  return g_strdup_printf ("%d %d", image->subject.drawable,
                          gimp_drawable_width (image->subject.drawable));
}

/* The stored values that the layer must have after before; NULL if the engine refuses. */
static double *
get_blurred (const ServeImage *image, const Raster *before, gsize *bytes)
{
  BlurParams params = subject_params (image->subject.drawable, &image->args);
  g_autofree double *mask = serve_image_get_selection (image);
  g_autofree double *values = NULL;
  g_autoptr (Raster) large = NULL, blurred = NULL;
  int x, y;

  serve_image_get_growth (image, &x, &y);
  if (x > 0 || y > 0)
    params.abyss = FX_ABYSS_NONE;
  large = raster_enlarge (before, x, y, FALSE);
  blurred = raster_blur (large, &params, NULL, NULL);
  if (! blurred)
    return NULL;
  *bytes = raster_bytes (blurred);
  values = raster_values (blurred);
  if (mask)
    {
      double *mixed = raster_mix (before, values, mask);

      g_free (values);
      values = mixed;
    }
  if (image->kept)
    raster_keep (large, values, image->kept);
  return g_steal_pointer (&values);
}

static char *
check (const ServeImage *image, const Raster *before, const Raster *pixels)
{
  gsize bytes = 0;
  g_autofree double *values = get_blurred (image, before, &bytes);
  char *problem;

  if (! values || bytes != raster_bytes (pixels))
    return g_strdup ("the layer has another size");
  problem = raster_compare (pixels, values, 1.0, 2.0);
  return problem ? problem : g_strdup ("ok");
}

char *
serve_image_check_blurred (ServeImage *image, const char *unused)
{
  g_autoptr (Raster) pixels = subject_read (image->subject.drawable);

  return check (image, image->original, pixels);
}

/* Returns the layer's part of another one that lies around it: the preview's layer grows by whole
 * tiles. */
static Raster *
read_grown (const ServeImage *image, gint32 layer)
{
  g_autoptr (Raster) pixels = subject_read (layer);
  FxRect rect = { 0, 0, image->original->width, image->original->height };
  gint left, top;
  int x, y;

  serve_image_get_growth (image, &x, &y);
  gimp_drawable_offsets (image->subject.drawable, &rect.x, &rect.y);
  gimp_drawable_offsets (layer, &left, &top);
  rect = (FxRect) { rect.x - left - x, rect.y - top - y, rect.width + 2 * x, rect.height + 2 * y };
  if (rect.x < 0 || rect.y < 0 || rect.x + rect.width > pixels->width ||
      rect.y + rect.height > pixels->height)
    return NULL;
  return raster_crop (pixels, &rect);
}

char *
serve_image_check_shown (ServeImage *image, const char *unused)
{
  gint32 layer = scene_find_shown (image->subject.image);

  g_autoptr (Raster) before = subject_read (image->subject.drawable);
  g_autoptr (Raster) pixels = layer == -1 ? NULL : read_grown (image, layer);

  return pixels ? check (image, before, pixels)
                : g_strdup ("there is no preview on the canvas, or no room");
}
