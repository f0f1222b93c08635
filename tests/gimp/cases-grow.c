#include "cases.h"

/* Growing */

static int
growth (double sigma, int kernel_size)
{
  if (sigma < 0.2)
    return 0;
  return kernel_size ? (kernel_size - 1) / 2 : (int) ceil (4.0 * sigma);
}

/* The mask after growing by x, y on each side: white around the old bytes. */
static char *
grown_mask_problem (gint32 layer, const Raster *before, int x, int y)
{
  g_autoptr (Raster) after = NULL;
  g_autoptr (Raster) expected = raster_enlarge (before, x, y, TRUE);
  gint32 mask = gimp_layer_get_mask (layer);
  gint left, top, mask_left, mask_top;

  if (mask == -1)
    return g_strdup ("the mask is gone");
  gimp_drawable_offsets (layer, &left, &top);
  gimp_drawable_offsets (mask, &mask_left, &mask_top);
  if (mask_left != left || mask_top != top)
    return g_strdup_printf ("the mask is at %d,%d, the layer at %d,%d", mask_left, mask_top, left,
                            top);
  after = subject_read (mask);
  return raster_differs (after, expected);
}

/* Blurs and expects the layer larger by x, y on each side and its content that of an enlarged layer
 * blurred by the engine, beyond which is nothing. */
static char *
grown_problem (Subject subject, const Args *args, int x, int y)
{
  g_autoptr (Raster) before = subject_read (subject.drawable);
  g_autoptr (Raster) large = raster_enlarge (before, x, y, FALSE);
  g_autoptr (Raster) after = NULL;
  Args soft = *args;
  GimpPDBStatusType status;
  gint left, top, new_left, new_top;
  char *problem;

  gimp_drawable_offsets (subject.drawable, &left, &top);
  if (! subject_blur (subject, GIMP_RUN_NONINTERACTIVE, args, &status, &problem))
    return problem;
  gimp_drawable_offsets (subject.drawable, &new_left, &new_top);
  after = subject_read (subject.drawable);
  if (new_left != left - x || new_top != top - y || after->width != large->width ||
      after->height != large->height)
    return g_strdup_printf ("%d x %d at %d,%d; expected %d x %d at %d,%d", after->width,
                            after->height, new_left, new_top, large->width, large->height, left - x,
                            top - y);
  soft.abyss = FX_ABYSS_NONE;
  return against_engine (after, large, subject.drawable, &soft, NULL);
}

static void
check_grown (const char *name, GimpPrecision precision, GimpImageType type, const Args *args)
{
  g_autoptr (GRand) rand = case_rand (name);
  Subject subject = subject_for (name, precision, type, 60, 44);
  gint32 mask = add_mask (subject);
  g_autoptr (Raster) mask_before = NULL;
  int x = growth (args->sigma_x, args->kernel_size);
  int y = growth (args->sigma_y, args->kernel_size);
  char *problem;

  gimp_layer_set_offsets (subject.drawable, 7, -5);
  subject_fill (mask, rand, FALSE);
  mask_before = subject_read (mask);
  problem = grown_problem (subject, args, x, y);
  problem = problem ?: grown_mask_problem (subject.drawable, mask_before, x, y);
  report_on (subject, problem, "grow: %s", name);
}

static void
check_grow (void)
{
  check_grown ("sigma 3 and 5, 8-bit RGBA", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE,
               &(Args) { 3.0, 5.0, 0, FX_ABYSS_NONE, 0, 1, 0 });
  check_grown ("sigma 2.3, 16-bit", GIMP_PRECISION_U16_GAMMA, GIMP_RGBA_IMAGE,
               &(Args) { 2.3, 2.3, 0, FX_ABYSS_CLAMP, 0, 1, 0 });
  check_grown ("sigma 3, float grey", GIMP_PRECISION_FLOAT_LINEAR, GIMP_GRAYA_IMAGE,
               &(Args) { 3.0, 3.0, 0, FX_ABYSS_WHITE, 1, 1, 0 });
  check_grown ("kernel size 7", GIMP_PRECISION_U8_LINEAR, GIMP_RGBA_IMAGE,
               &(Args) { 3.0, 3.0, 7, FX_ABYSS_BLACK, 0, 1, 0 });
  check_grown ("one axis only", GIMP_PRECISION_HALF_GAMMA, GIMP_RGBA_IMAGE,
               &(Args) { 4.0, 0.0, 0, FX_ABYSS_CLAMP, 0, 1, 0 });
  check_grown ("kernel size on one axis only", GIMP_PRECISION_U8_GAMMA, GIMP_GRAYA_IMAGE,
               &(Args) { 0.0, 2.0, 21, FX_ABYSS_CLAMP, 0, 1, 0 });
  check_grown ("sigma 40: more than the layer", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE,
               &(Args) { 40.0, 40.0, 0, FX_ABYSS_CLAMP, 0, 1, 0 });
}

static void
check_grow_ignored (void)
{
  Args args = { 3.0, 3.0, 0, FX_ABYSS_CLAMP, 0, 1, 0 };
  Subject opaque = subject_for ("opaque", GIMP_PRECISION_U8_GAMMA, GIMP_RGB_IMAGE, 60, 44);
  Subject selected = subject_under ("selected", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE,
                                    SELECT_RECTANGLE);

  report (blur_problem (opaque, &args, NULL), "grow is ignored without alpha");
  report (selection_problem (selected, &args), "grow is ignored under a selection");
  gimp_image_delete (opaque.image);
  gimp_image_delete (selected.image);
}

/* A grown layer in a group: its group grows with it, and the layer stays in its place in the
 * image. */
static void
check_grow_group (void)
{
  const char *name = "grow: in a group, without a mask";
  Subject subject = subject_for (name, GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 60, 44);
  gint32 group = gimp_layer_group_new (subject.image);
  Args args = { 2.0, 2.0, 0, FX_ABYSS_NONE, 0, 1, 0 };
  char *problem;

  gimp_image_insert_layer (subject.image, group, -1, 0);
  gimp_image_reorder_item (subject.image, subject.drawable, group, 0);
  problem = grown_problem (subject, &args, 8, 8);
  if (! problem && gimp_drawable_width (group) != 76)
    problem = g_strdup_printf ("the group is %d wide", gimp_drawable_width (group));
  report_on (subject, problem, "%s", name);
}

void
cases_grow (void)
{
  check_grow ();
  check_grow_ignored ();
  check_grow_group ();
}
