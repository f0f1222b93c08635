#include <libgimp/gimp.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "probe.h"
#include "subject.h"

static FILE *tap;
static int n_cases, n_failed;
static guint32 seed = 20250101;

static const GimpImageType image_types[] = {
  GIMP_RGB_IMAGE, GIMP_RGBA_IMAGE, GIMP_GRAY_IMAGE, GIMP_GRAYA_IMAGE,
};
static const char *type_names[] = { "RGB", "RGBA", "grey", "grey and alpha" };

static const Args plain = { 2.5, 1.3, 0, BLUR_ABYSS_CLAMP, BLUR_LIGHT_LINEAR, 0, 0 };

/* Ends a case: it failed if there is a problem, which is taken. */
static void G_GNUC_PRINTF (2, 3)
report (char *problem, const char *name, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, name);
  text = g_strdup_vprintf (name, args);
  va_end (args);
  g_strdelimit (text, "#", '.'); /* TAP's mark of a directive */
  n_failed += problem != NULL;
  fprintf (tap, "%s %d - %s\n", problem ? "not ok" : "ok", ++n_cases, text);
  if (problem)
    fprintf (tap, "# seed %u: %s\n", seed, g_strdelimit (problem, "\n", ' '));
  fflush (tap);
  g_free (problem);
}

static void
skip (const char *name, const char *reason)
{
  fprintf (tap, "ok %d - %s # SKIP %s\n", ++n_cases, name, reason);
}

/* Each case has its own random numbers, so that one added does not change the others'. */
static GRand *
case_rand (const char *name)
{
  return g_rand_new_with_seed (seed + g_str_hash (name));
}

/* An image with random pixels that depend on the case's name. */
static Subject
subject_for (const char *name, GimpPrecision precision, GimpImageType type, int width, int height)
{
  g_autoptr (GRand) rand = case_rand (name);

  return subject_new (precision, type, width, height, rand, TRUE);
}

/* What the procedure must have made of before: the CPU's bytes exactly, or the GPU's pixels within
 * twice the contract's bound, once for each engine. */
static char *
against_engine (const Raster *after, const Raster *before, gint32 drawable, const Args *args,
                const BlurRect *region)
{
  BlurParams params = subject_params (drawable, args);
  g_autoptr (GError) error = NULL;
  g_autoptr (Raster) expected = raster_blur (before, &params, region, &error);
  g_autofree double *values = NULL;

  if (! expected)
    return g_strdup_printf ("the engine itself refuses: %s", error->message);
  if (! subject_on_gpu (args->device))
    return raster_differs (after, expected);
  values = raster_values (expected);
  return raster_compare (after, values, raster_range (before), 2.0);
}

/* Blurs the subject and compares with the engine. region: what may change, NULL for everything. */
static char *
blur_problem (Subject subject, const Args *args, const BlurRect *region)
{
  g_autoptr (Raster) before = subject_read (subject.drawable);
  g_autoptr (Raster) after = NULL;
  GimpPDBStatusType status;
  char *problem;

  if (! subject_blur (subject, GIMP_RUN_NONINTERACTIVE, args, &status, &problem))
    return problem;
  after = subject_read (subject.drawable);
  if (raster_bytes (after) != raster_bytes (before))
    return raster_differs (after, before);
  return against_engine (after, before, subject.drawable, args, region);
}

/* Blurs and expects success, the same bytes and no undo step. */
static char *
unchanged_problem (Subject subject, const Args *args)
{
  g_autoptr (Raster) before = subject_read (subject.drawable);
  g_autoptr (Raster) after = NULL;
  GimpPDBStatusType status;
  char *problem;

  gimp_image_clean_all (subject.image);
  if (! subject_blur (subject, GIMP_RUN_NONINTERACTIVE, args, &status, &problem))
    return problem;
  after = subject_read (subject.drawable);
  problem = raster_differs (after, before);
  if (! problem && gimp_image_is_dirty (subject.image))
    problem = g_strdup ("the image is dirty: an undo step without a change");
  return problem;
}

/* What is registered */

static const char *
type_name (GimpPDBArgType type)
{
  const char *name = NULL;

  gimp_enum_get_value (GIMP_TYPE_PDB_ARG_TYPE, type, &name, NULL, NULL, NULL);
  return name ? name : "none";
}

static char *
signature_problem (void)
{
  static const char promised[] = "run-mode:INT32 image:IMAGE drawable:DRAWABLE sigma-x:FLOAT "
                                 "sigma-y:FLOAT kernel-size:INT32 abyss:INT32 light:INT32 "
                                 "grow:INT32 device:INT32 -> 0 (1)";
  g_autoptr (GString) found = g_string_new (NULL);
  gchar *texts[5];
  GimpPDBProcType type;
  gint n_args, n_values;
  GimpParamDef *args, *values;

  if (! gimp_procedural_db_proc_info (PROCEDURE, &texts[0], &texts[1], &texts[2], &texts[3],
                                      &texts[4], &type, &n_args, &n_values, &args, &values))
    return g_strdup_printf ("%s is not registered", PROCEDURE);
  for (int i = 0; i < n_args; i++)
    {
      const char *kind = type_name (args[i].type);
      const char *last = strrchr (kind, '_');

      g_string_append_printf (found, "%s:", args[i].name);
      g_string_append (found, last ? last + 1 : kind);
      g_string_append_c (found, ' ');
    }
  g_string_append_printf (found, "-> %d (%d)", n_values, type);
  if (g_ascii_strcasecmp (found->str, promised) == 0)
    return NULL;
  return g_strdup_printf ("found %s, promised %s", found->str, promised);
}

static char *
menu_problem (void)
{
  gint n_values;
  GimpParam *values = gimp_run_procedure ("gimp-plugins-query", &n_values, GIMP_PDB_STRING, "",
                                          GIMP_PDB_END);
  char *problem = g_strdup ("no menu entry");

  /* Six arrays, each after its length: menu paths the first, types the fourth, names the last. */
  for (int i = 0; n_values == 13 && i < values[11].data.d_int32; i++)
    {
      const char *path = values[2].data.d_stringarray[i];
      const char *types = values[8].data.d_stringarray[i];

      if (strcmp (values[12].data.d_stringarray[i], PROCEDURE) != 0)
        continue;
      g_clear_pointer (&problem, g_free);
      if (strcmp (path, "<Image>/Filters/Blur/Gaussian Blur (CUDA)...") != 0
          || strcmp (types, "RGB*, GRAY*") != 0)
        problem = g_strdup_printf ("at %s for %s", path, types);
    }
  gimp_destroy_params (values, n_values);
  return problem;
}

static void
cases_registration (void)
{
  report (signature_problem (), "the procedure has the promised signature");
  report (menu_problem (), "the menu entry is Filters > Blur > Gaussian Blur (CUDA)...");
}

/* Precisions and layer types */

static void
cases_formats (void)
{
  for (int p = 0; p < N_PRECISIONS; p++)
    for (guint t = 0; t < G_N_ELEMENTS (image_types); t++)
      {
        g_autofree char *name = g_strdup_printf ("%s, %s", precisions[p].name, type_names[t]);
        Subject subject = subject_for (name, precisions[p].precision, image_types[t], 137, 61);
        Args args = plain;

        args.abyss = (p + t) % 4;
        args.light = (p / 2 + t) % 2;
        report (blur_problem (subject, &args, NULL), "%s: abyss %d, light %d", name, args.abyss,
                args.light);
        gimp_image_delete (subject.image);
      }
}

/* The whole chain against a convolution that shares no code with the engine. */
static char *
definition_problem (const Precision *precision, GimpImageType type, const Args *args)
{
  g_autoptr (GRand) rand = case_rand (precision->name);
  Subject subject = subject_new (precision->precision, type, 45, 38, rand, FALSE);
  g_autoptr (Raster) before = subject_read (subject.drawable);
  g_autoptr (Raster) after = NULL;
  BlurParams params = subject_params (subject.drawable, args);
  g_autofree double *expected = raster_convolve (before, &params);
  GimpPDBStatusType status;
  char *problem;

  if (subject_blur (subject, GIMP_RUN_NONINTERACTIVE, args, &status, &problem))
    {
      after = subject_read (subject.drawable);
      problem = raster_compare (after, expected, raster_range (before), 1.0);
    }
  gimp_image_delete (subject.image);
  return problem;
}

static void
cases_definition (void)
{
  for (int p = 0; p < N_PRECISIONS; p++)
    for (int light = 0; light < 2; light++)
      {
        int type = light == 0 ? 1 : p % 4; /* premultiplied colour in linear light always */
        Args args = { 3.1, 1.7, 0, p % 4, light, 0, 0 };

        report (definition_problem (&precisions[p], image_types[type], &args),
                "against the definition: %s, %s, abyss %d, light %d", precisions[p].name,
                type_names[type], args.abyss, light);
      }
}

/* Parameters */

static void
check_args (const char *what, const Args *args)
{
  for (int type = 0; type < 2; type++)
    {
      g_autofree char *name = g_strdup_printf ("%s, 8-bit %s", what, type_names[type]);
      Subject subject = subject_for (name, GIMP_PRECISION_U8_GAMMA, image_types[type], 70, 50);

      report (blur_problem (subject, args, NULL), "%s", name);
      gimp_image_delete (subject.image);
    }
}

static void
cases_parameters (void)
{
  static const int sizes[] = { 3, 31, 9999 };
  static const char *abysses[] = { "clamp", "none", "black", "white" };

  check_args ("sigma-x alone", &(Args) { .sigma_x = 4.0 });
  check_args ("sigma-y alone", &(Args) { .sigma_y = 4.0 });
  check_args ("sigma-x under 0.2", &(Args) { 0.15, 3.0, 0, 0, 0, 0, 0 });
  check_args ("device 2", &(Args) { 3.0, 3.0, 0, 0, 0, 0, BLUR_DEVICE_CPU });
  check_args ("sigma 5000", &(Args) { 5000.0, 5000.0, 0, BLUR_ABYSS_CLAMP, 0, 0, 0 });
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autofree char *name = g_strdup_printf ("kernel size %d", sizes[i]);

      check_args (name, &(Args) { 5.0, 7.0, sizes[i], BLUR_ABYSS_CLAMP, 0, 0, 0 });
    }
  for (int abyss = 0; abyss < 4; abyss++)
    {
      g_autofree char *name = g_strdup_printf ("sigma 30, abyss %s", abysses[abyss]);

      check_args (name, &(Args) { 30.0, 30.0, 0, abyss, BLUR_LIGHT_LINEAR, 0, 0 });
    }
}

static void
cases_identity (void)
{
  static const struct {
    const char *name;
    Args args;
  } identities[] = {
    { "both sigmas 0", { 0.0, 0.0, 0, 0, 0, 0, 0 } },
    { "both sigmas 0 with a kernel size", { 0.0, 0.0, 9, 0, 0, 0, 0 } },
    { "both sigmas 0 with grow", { 0.0, 0.0, 0, 0, 0, 1, 0 } },
    { "kernel size 1", { 3.0, 3.0, 1, 0, 0, 0, 0 } },
    { "everything 0, as script tools begin", { 0 } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (identities); i++)
    {
      Subject subject = subject_for (identities[i].name, GIMP_PRECISION_FLOAT_GAMMA,
                                     GIMP_RGBA_IMAGE, 40, 30);

      report (unchanged_problem (subject, &identities[i].args), "%s: nothing changes",
              identities[i].name);
      gimp_image_delete (subject.image);
    }
}

/* Sizes and places */

static void
cases_sizes (void)
{
  static const int sizes[][2] = { { 1, 1 },   { 1, 150 },   { 150, 1 },  { 2, 3 },
                                  { 128, 128 }, { 129, 127 }, { 130, 257 }, { 400, 300 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (int deep = 0; deep < 2; deep++)
      {
        g_autofree char *name = g_strdup_printf ("%d x %d, %s", sizes[i][0], sizes[i][1],
                                                 deep ? "float grey" : "8-bit RGBA");
        Subject subject = subject_for (name, deep ? GIMP_PRECISION_FLOAT_LINEAR
                                                  : GIMP_PRECISION_U8_GAMMA,
                                       deep ? GIMP_GRAY_IMAGE : GIMP_RGBA_IMAGE,
                                       sizes[i][0], sizes[i][1]);

        report (blur_problem (subject, &plain, NULL), "%s", name);
        gimp_image_delete (subject.image);
      }
}

/* A layer of 150 x 90 at left, top of a canvas of that size: the canvas must not matter. */
static void
check_place (const char *name, int left, int top, int canvas_width, int canvas_height)
{
  Subject subject = subject_for (name, GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 150, 90);
  char *problem;
  gint x, y;

  gimp_image_resize (subject.image, canvas_width, canvas_height, 0, 0);
  gimp_layer_set_offsets (subject.drawable, left, top);
  problem = blur_problem (subject, &plain, NULL);
  gimp_drawable_offsets (subject.drawable, &x, &y);
  if (! problem && (x != left || y != top))
    problem = g_strdup_printf ("the layer moved to %d,%d", x, y);
  report (problem, "layer %s", name);
  gimp_image_delete (subject.image);
}

static void
cases_places (void)
{
  check_place ("with an offset", 40, 25, 300, 200);
  check_place ("larger than the canvas", -30, -20, 80, 50);
  check_place ("partly outside the canvas", -60, 70, 150, 100);
  check_place ("wholly outside the canvas", 500, 400, 100, 100);
}

/* Selections */

/* GIMP takes whatever it merges through a selection from 32-bit samples to single precision and
 * back, in all of the selection's bounding rectangle. */
static gboolean
rounds_in_bounds (const Raster *raster)
{
  BlurSample sample = raster->format.sample;

  return sample == BLUR_SAMPLE_U32 || sample == BLUR_SAMPLE_FLOAT || sample == BLUR_SAMPLE_DOUBLE;
}

/* What a pixel outside the selection was, it must be. */
static char *
outside_problem (const Raster *after, const Raster *before, gint32 drawable, const double *mask)
{
  g_autofree double *a = raster_values (after);
  g_autofree double *b = raster_values (before);
  int channels = after->format.channels;
  GeglRectangle bounds;

  gimp_drawable_mask_intersect (drawable, &bounds.x, &bounds.y, &bounds.width, &bounds.height);
  for (int y = 0; y < after->height; y++)
    for (int x = 0; x < after->width; x++)
      {
        gsize pixel = (gsize) y * after->width + x;
        gboolean within = x >= bounds.x && x < bounds.x + bounds.width && y >= bounds.y
                          && y < bounds.y + bounds.height;
        double allowed = within && rounds_in_bounds (after) ? 2e-6 : 0.0;

        for (int c = 0; mask[pixel] == 0.0 && c < channels; c++)
          if (fabs (a[pixel * channels + c] - b[pixel * channels + c]) > allowed)
            return g_strdup_printf ("the pixel at %d,%d is outside the selection but has changed "
                                    "from %.9g to %.9g in channel %d", x, y,
                                    b[pixel * channels + c], a[pixel * channels + c], c);
      }
  return NULL;
}

/* The blur merged through the selection, from the definition. GIMP mixes in single precision and
 * rounds once more, hence twice the bound. It mixes in linear light and takes the channels of an
 * 8-bit image, coverage though they are, for stored through sRGB's curve. */
static char *
merge_problem (const Raster *after, Raster *before, gint32 drawable, const Args *args,
               const double *mask)
{
  BlurParams params = subject_params (drawable, args);
  g_autofree double *blurred = raster_convolve (before, &params);
  g_autofree double *expected = NULL;

  before->format.gamma = strchr (babl_format_get_encoding (gimp_drawable_get_format (drawable)),
                                 '\'') != NULL;
  expected = raster_mix (before, blurred, mask);
  return raster_compare (after, expected, raster_range (before), 2.0);
}

static char *
selection_problem (Subject subject, const Args *args)
{
  g_autoptr (Raster) before = subject_read (subject.drawable);
  g_autofree double *mask = subject_selection (subject);
  g_autoptr (Raster) after = NULL;
  GimpPDBStatusType status;
  char *problem;

  if (! subject_blur (subject, GIMP_RUN_NONINTERACTIVE, args, &status, &problem))
    return problem;
  after = subject_read (subject.drawable);
  if (raster_bytes (after) != raster_bytes (before))
    return raster_differs (after, before);
  problem = outside_problem (after, before, subject.drawable, mask);
  if (! problem)
    problem = merge_problem (after, before, subject.drawable, args, mask);
  return problem;
}

typedef enum {
  SELECT_RECTANGLE, /* within the layer */
  SELECT_CORNER,    /* partly beside the layer */
  SELECT_FEATHERED,
  SELECT_HOLE,      /* everything but a rectangle */
  N_SELECTIONS,
} Selection;

static const char *selection_names[] = { "a rectangle", "a rectangle over the corner",
                                         "a feathered rectangle", "all but a rectangle" };

static void
select_part (gint32 image, Selection selection)
{
  gimp_context_set_antialias (FALSE);
  gimp_context_set_feather (selection == SELECT_FEATHERED);
  gimp_context_set_feather_radius (8.0, 8.0);
  if (selection == SELECT_CORNER)
    gimp_image_select_rectangle (image, GIMP_CHANNEL_OP_REPLACE, 0, 0, 50, 40);
  else
    gimp_image_select_rectangle (image, GIMP_CHANNEL_OP_REPLACE, 45, 30, 30, 24);
  if (selection == SELECT_HOLE)
    gimp_selection_invert (image);
}

/* A layer of 96 x 70 with an offset of 20, 10. */
static Subject
subject_under (const char *name, GimpPrecision precision, GimpImageType type, Selection selection)
{
  g_autoptr (GRand) rand = case_rand (name);
  Subject subject = subject_new (precision, type, 96, 70, rand, FALSE);

  gimp_image_resize (subject.image, 130, 100, 0, 0);
  gimp_layer_set_offsets (subject.drawable, 20, 10);
  select_part (subject.image, selection);
  return subject;
}

static void
cases_selections (void)
{
  static const struct {
    int precision, type;
  } kinds[] = { { 0, 1 }, { 2, 0 }, { 7, 3 }, { 8, 1 }, { 4, 1 }, { 11, 2 } };

  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    for (int s = 0; s < N_SELECTIONS; s++)
      {
        const Precision *precision = &precisions[kinds[k].precision];
        g_autofree char *name = g_strdup_printf ("selection: %s, %s %s", selection_names[s],
                                                 precision->name, type_names[kinds[k].type]);
        Subject subject = subject_under (name, precision->precision, image_types[kinds[k].type],
                                         s);
        Args args = { 3.0, 4.0, 0, s, k % 2, 0, 0 };

        report (selection_problem (subject, &args), "%s", name);
        gimp_image_delete (subject.image);
      }
}

static void
cases_selection_beside (void)
{
  const char *name = "a selection beside the layer: success and nothing changes";
  Subject subject = subject_under (name, GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE,
                                   SELECT_RECTANGLE);

  gimp_image_select_rectangle (subject.image, GIMP_CHANNEL_OP_REPLACE, 0, 0, 15, 100);
  report (unchanged_problem (subject, &plain), "%s", name);
  gimp_image_delete (subject.image);
}

/* Masks and channels: coverage, blurred as it is whatever the light. */

static gint32
add_mask (Subject subject)
{
  gint32 mask = gimp_layer_create_mask (subject.drawable, GIMP_ADD_MASK_WHITE);

  gimp_layer_add_mask (subject.drawable, mask);
  return mask;
}

static gint32
add_channel (Subject subject)
{
  GimpRGB red = { 1.0, 0.0, 0.0, 1.0 };
  gint32 channel = gimp_channel_new (subject.image, "channel",
                                     gimp_image_width (subject.image),
                                     gimp_image_height (subject.image), 50.0, &red);

  gimp_image_insert_channel (subject.image, channel, -1, 0);
  return channel;
}

/* Blurs a mask or channel of the subject, whose layer must stay. */
static char *
coverage_problem (Subject subject, gint32 coverage, const Args *args)
{
  g_autoptr (GRand) rand = case_rand ("coverage");
  g_autoptr (Raster) before = subject_read (subject.drawable);
  g_autoptr (Raster) after = NULL;
  char *problem;

  subject_fill (coverage, rand, FALSE);
  problem = blur_problem ((Subject) { subject.image, coverage }, args, NULL);
  if (problem)
    return problem;
  after = subject_read (subject.drawable);
  return raster_differs (after, before);
}

static void
cases_coverage (void)
{
  for (int p = 0; p < N_PRECISIONS; p++)
    for (int light = 0; light < 2; light++)
      {
        Args args = { 2.0, 3.0, 0, p % 4, light, light, 0 }; /* grow does not apply either */
        Subject subject = subject_for ("coverage", precisions[p].precision, GIMP_RGBA_IMAGE, 61,
                                       47);

        if (p % 2 == light)
          report (coverage_problem (subject, add_mask (subject), &args),
                  "layer mask, %s, abyss %d, light %d", precisions[p].name, args.abyss, light);
        else
          report (coverage_problem (subject, add_channel (subject), &args),
                  "channel, %s, abyss %d, light %d", precisions[p].name, args.abyss, light);
        gimp_image_delete (subject.image);
      }
}

/* The same against the definition, and under a selection. */
static void
check_coverage_selection (const char *name, gboolean mask, Selection selection)
{
  g_autoptr (GRand) rand = case_rand (name);
  Subject subject = subject_under (name, GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, selection);
  Subject coverage = { subject.image, mask ? add_mask (subject) : add_channel (subject) };

  subject_fill (coverage.drawable, rand, FALSE);
  report (selection_problem (coverage, &plain), "%s", name);
  gimp_image_delete (subject.image);
}

static void
cases_coverage_selection (void)
{
  Subject subject = subject_for ("selection", GIMP_PRECISION_U8_GAMMA, GIMP_RGB_IMAGE, 90, 60);

  check_coverage_selection ("layer mask under a rectangle", TRUE, SELECT_RECTANGLE);
  check_coverage_selection ("layer mask under a feathered rectangle", TRUE, SELECT_FEATHERED);
  check_coverage_selection ("channel under a feathered rectangle", FALSE, SELECT_FEATHERED);

  gimp_image_select_rectangle (subject.image, GIMP_CHANNEL_OP_REPLACE, 20, 15, 40, 30);
  report (coverage_problem (subject, gimp_image_get_selection (subject.image), &plain),
          "the selection itself, as a channel");
  gimp_image_delete (subject.image);
}

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
 * blurred by the engine. */
static char *
grown_problem (Subject subject, const Args *args, int x, int y)
{
  g_autoptr (Raster) before = subject_read (subject.drawable);
  g_autoptr (Raster) large = raster_enlarge (before, x, y, FALSE);
  g_autoptr (Raster) after = NULL;
  GimpPDBStatusType status;
  gint left, top, new_left, new_top;
  char *problem;

  gimp_drawable_offsets (subject.drawable, &left, &top);
  if (! subject_blur (subject, GIMP_RUN_NONINTERACTIVE, args, &status, &problem))
    return problem;
  gimp_drawable_offsets (subject.drawable, &new_left, &new_top);
  after = subject_read (subject.drawable);
  if (new_left != left - x || new_top != top - y || after->width != large->width
      || after->height != large->height)
    return g_strdup_printf ("%d x %d at %d,%d; expected %d x %d at %d,%d", after->width,
                            after->height, new_left, new_top, large->width, large->height,
                            left - x, top - y);
  return against_engine (after, large, subject.drawable, args, NULL);
}

static void
check_grow (const char *name, GimpPrecision precision, GimpImageType type, const Args *args)
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
  if (! problem)
    problem = grown_mask_problem (subject.drawable, mask_before, x, y);
  report (problem, "grow: %s", name);
  gimp_image_delete (subject.image);
}

static void
cases_grow (void)
{
  check_grow ("sigma 3 and 5, 8-bit RGBA", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE,
              &(Args) { 3.0, 5.0, 0, BLUR_ABYSS_NONE, 0, 1, 0 });
  check_grow ("sigma 2.3, 16-bit", GIMP_PRECISION_U16_GAMMA, GIMP_RGBA_IMAGE,
              &(Args) { 2.3, 2.3, 0, BLUR_ABYSS_CLAMP, 0, 1, 0 });
  check_grow ("sigma 3, float grey", GIMP_PRECISION_FLOAT_LINEAR, GIMP_GRAYA_IMAGE,
              &(Args) { 3.0, 3.0, 0, BLUR_ABYSS_WHITE, 1, 1, 0 });
  check_grow ("kernel size 7", GIMP_PRECISION_U8_LINEAR, GIMP_RGBA_IMAGE,
              &(Args) { 3.0, 3.0, 7, BLUR_ABYSS_BLACK, 0, 1, 0 });
  check_grow ("one axis only", GIMP_PRECISION_HALF_GAMMA, GIMP_RGBA_IMAGE,
              &(Args) { 4.0, 0.0, 0, BLUR_ABYSS_CLAMP, 0, 1, 0 });
  check_grow ("kernel size on one axis only", GIMP_PRECISION_U8_GAMMA, GIMP_GRAYA_IMAGE,
              &(Args) { 0.0, 2.0, 21, BLUR_ABYSS_CLAMP, 0, 1, 0 });
  check_grow ("sigma 40: more than the layer", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE,
              &(Args) { 40.0, 40.0, 0, BLUR_ABYSS_CLAMP, 0, 1, 0 });
}

static void
cases_grow_ignored (void)
{
  Args args = { 3.0, 3.0, 0, BLUR_ABYSS_CLAMP, 0, 1, 0 };
  Subject opaque = subject_for ("opaque", GIMP_PRECISION_U8_GAMMA, GIMP_RGB_IMAGE, 60, 44);
  Subject selected = subject_under ("selected", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE,
                                    SELECT_RECTANGLE);

  report (blur_problem (opaque, &args, NULL), "grow is ignored without alpha");
  report (selection_problem (selected, &args), "grow is ignored under a selection");
  gimp_image_delete (opaque.image);
  gimp_image_delete (selected.image);
}

/* A grown layer in a group: its group grows with it and the image shows it where it was. */
static void
cases_grow_group (void)
{
  const char *name = "grow: in a group, without a mask";
  Subject subject = subject_for (name, GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 60, 44);
  gint32 group = gimp_layer_group_new (subject.image);
  Args args = { 2.0, 2.0, 0, BLUR_ABYSS_NONE, 0, 1, 0 };
  char *problem;

  gimp_image_insert_layer (subject.image, group, -1, 0);
  gimp_image_reorder_item (subject.image, subject.drawable, group, 0);
  problem = grown_problem (subject, &args, 8, 8);
  if (! problem && gimp_drawable_width (group) != 76)
    problem = g_strdup_printf ("the group is %d wide", gimp_drawable_width (group));
  report (problem, "%s", name);
  gimp_image_delete (subject.image);
}

/* Profiles: linear light is sRGB's curve whatever they say. */

static char *
profile_problem (GimpPrecision precision, GimpColorProfile *profile)
{
  Subject subject = subject_for ("profile", precision, GIMP_RGBA_IMAGE, 80, 60);
  g_autoptr (Raster) before = subject_read (subject.drawable);
  g_autoptr (Raster) after = NULL;
  char *problem;

  if (gimp_image_set_color_profile (subject.image, profile))
    {
      after = subject_read (subject.drawable);
      problem = raster_differs (after, before); /* or the test reads converted pixels */
      if (! problem)
        problem = blur_problem (subject, &plain, NULL);
    }
  else
    problem = g_strdup ("the profile was not accepted");
  gimp_image_delete (subject.image);
  return problem;
}

static void
cases_profiles (void)
{
  GimpColorProfile *adobe = gimp_color_profile_new_rgb_adobe ();
  GimpColorProfile *linear = gimp_color_profile_new_linear_from_color_profile (adobe);

  report (profile_problem (GIMP_PRECISION_U8_GAMMA, adobe), "AdobeRGB profile, 8-bit gamma");
  report (profile_problem (GIMP_PRECISION_U16_GAMMA, adobe), "AdobeRGB profile, 16-bit gamma");
  report (profile_problem (GIMP_PRECISION_FLOAT_LINEAR, linear),
          "linear AdobeRGB profile, float linear");
  g_object_unref (linear);
  g_object_unref (adobe);
}

/* Run modes */

/* Only a dialog leaves last values, so that there are none here: some blur must be done all the
 * same. The window's tests have some. */
static char *
last_values_problem (const Args *args)
{
  Subject subject = subject_for ("last values", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 60, 50);
  g_autoptr (Raster) before = subject_read (subject.drawable);
  g_autoptr (Raster) after = NULL;
  GimpPDBStatusType status;
  char *problem;

  if (subject_blur (subject, GIMP_RUN_WITH_LAST_VALS, args, &status, &problem))
    {
      after = subject_read (subject.drawable);
      problem = raster_equal (after, before) ? g_strdup ("nothing changed") : NULL;
    }
  gimp_image_delete (subject.image);
  return problem;
}

/* A failure is the procedure's own if it says something and GIMP has not had to say it for it. */
static char *
failure_problem (GimpPDBStatusType status, const char *message)
{
  if (status != GIMP_PDB_CALLING_ERROR && status != GIMP_PDB_EXECUTION_ERROR)
    return g_strdup_printf ("no error return but status %d", status);
  if (strstr (message, "returned no return values"))
    return g_strdup_printf ("the plug-in died: %s", message);
  if (strlen (gimp_get_pdb_error ()) < 10 || strcmp (gimp_get_pdb_error (), "success") == 0)
    return g_strdup_printf ("no message: %s", message);
  return NULL;
}

static char *
interactive_problem (void)
{
  Subject subject = subject_for ("interactive", GIMP_PRECISION_U8_GAMMA, GIMP_RGB_IMAGE, 60, 50);
  g_autoptr (Raster) before = subject_read (subject.drawable);
  g_autoptr (Raster) after = NULL;
  g_autofree char *message = NULL;
  GimpPDBStatusType status;
  char *problem;

  if (subject_blur (subject, GIMP_RUN_INTERACTIVE, &plain, &status, &message))
    problem = g_strdup ("success");
  else
    problem = failure_problem (status, message);
  after = subject_read (subject.drawable);
  if (! problem)
    problem = raster_differs (after, before);
  gimp_image_delete (subject.image);
  return problem;
}

static void
cases_run_modes (void)
{
  report (last_values_problem (NULL), "last values, called with three arguments as from the menu");
  report (last_values_problem (&(Args) { 1.5, 4.0, 0, 2, 1, 0, 0 }),
          "last values, called with all arguments");
  report (interactive_problem (), "interactive without a display is an error, not a crash");
}

/* Script-Fu, as scripts call it. */

static void
cases_script (void)
{
  Subject subject = subject_for ("script", GIMP_PRECISION_U8_GAMMA, GIMP_RGB_IMAGE, 60, 50);
  g_autoptr (Raster) before = subject_read (subject.drawable);
  g_autoptr (Raster) after = NULL;
  g_autofree char *script = g_strdup_printf (
    "(" PROCEDURE " RUN-NONINTERACTIVE %d %d 2.5 1.3 0 0 0 0 0)", subject.image, subject.drawable);
  gint n_values;
  GimpParam *values = gimp_run_procedure ("plug-in-script-fu-eval", &n_values, GIMP_PDB_INT32,
                                          GIMP_RUN_NONINTERACTIVE, GIMP_PDB_STRING, script,
                                          GIMP_PDB_END);

  after = subject_read (subject.drawable);
  report (values[0].data.d_status == GIMP_PDB_SUCCESS
            ? against_engine (after, before, subject.drawable, &plain, NULL)
            : g_strdup (gimp_get_pdb_error ()),
          "called from Script-Fu");
  gimp_destroy_params (values, n_values);
  gimp_image_delete (subject.image);
}

/* Errors */

/* Whether text holds word in letters of either case; the hyphens of a name may be spaces. */
static gboolean
mentions (const char *text, const char *word)
{
  g_autofree char *haystack = g_ascii_strdown (text, -1);
  g_autofree char *needle = g_ascii_strdown (word, -1);

  if (strstr (haystack, needle))
    return TRUE;
  return g_ascii_isalpha (*word) && strstr (haystack, g_strdelimit (needle, "-", ' ')) != NULL;
}

/* The call must fail, say each of words (separated by commas, alternatives by bars) and change
 * nothing. */
static char *
refused_problem (Subject subject, const Args *args, const char *words)
{
  g_autoptr (Raster) before = subject_read (subject.drawable);
  g_autoptr (Raster) after = NULL;
  g_autofree char *message = NULL;
  g_auto (GStrv) list = g_strsplit (words, ",", -1);
  GimpPDBStatusType status;
  char *problem;

  gimp_image_clean_all (subject.image);
  if (subject_blur (subject, GIMP_RUN_NONINTERACTIVE, args, &status, &message))
    problem = g_strdup ("success");
  else
    problem = failure_problem (status, message);
  for (int i = 0; ! problem && list[i]; i++)
    {
      g_auto (GStrv) choices = g_strsplit (list[i], "|", -1);
      gboolean found = FALSE;

      for (int j = 0; choices[j]; j++)
        found = found || mentions (message, choices[j]);
      if (! found)
        problem = g_strdup_printf ("the message does not say '%s': %s", list[i], message);
    }
  after = subject_read (subject.drawable);
  if (! problem)
    problem = raster_differs (after, before);
  if (! problem && gimp_image_is_dirty (subject.image))
    problem = g_strdup ("the image is dirty: an undo step for an error");
  return problem;
}

static void
cases_bad_arguments (void)
{
  static const struct {
    Args args;
    const char *words;
  } bad[] = {
    { { 3.0, 3.0, 4, 0, 0, 0, 0 }, "kernel-size,4,odd" },
    { { 3.0, 3.0, -3, 0, 0, 0, 0 }, "kernel-size,-3" },
    { { 3.0, 3.0, 10001, 0, 0, 0, 0 }, "kernel-size,10001,9999" },
    { { 3.0, 3.0, G_MININT32, 0, 0, 0, 0 }, "kernel-size,-2147483648" },
    { { -1.0, 3.0, 0, 0, 0, 0, 0 }, "sigma-x,-1,5000" },
    { { 3.0, -0.25, 0, 0, 0, 0, 0 }, "sigma-y,-0.25,5000" },
    { { 5000.5, 3.0, 0, 0, 0, 0, 0 }, "sigma-x,5000.5,5000" },
    { { 3.0, 12345.0, 0, 0, 0, 0, 0 }, "sigma-y,12345,5000" },
    { { 3.0, 3.0, 0, 4, 0, 0, 0 }, "abyss,4" },
    { { 3.0, 3.0, 0, -1, 0, 0, 0 }, "abyss,-1" },
    { { 3.0, 3.0, 0, 0, 2, 0, 0 }, "light,2" },
    { { 3.0, 3.0, 0, 0, -1, 0, 0 }, "light,-1" },
    { { 3.0, 3.0, 0, 0, 0, 2, 0 }, "grow,2" },
    { { 3.0, 3.0, 0, 0, 0, -1, 0 }, "grow,-1" },
    { { 3.0, 3.0, 0, 0, 0, 0, 3 }, "device,3" },
    { { 3.0, 3.0, 0, 0, 0, 0, -1 }, "device,-1" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      Subject subject = subject_for (bad[i].words, GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 50,
                                     40);

      report (refused_problem (subject, &bad[i].args, bad[i].words), "refused: %s", bad[i].words);
      gimp_image_delete (subject.image);
    }
}

/* A call with too few arguments. */
static void
cases_missing_arguments (void)
{
  Subject subject = subject_for ("missing", GIMP_PRECISION_U8_GAMMA, GIMP_RGB_IMAGE, 50, 40);
  g_autofree char *message = NULL;
  GimpPDBStatusType status;
  char *problem;

  if (subject_blur (subject, GIMP_RUN_NONINTERACTIVE, NULL, &status, &message))
    problem = g_strdup ("success");
  else
    problem = failure_problem (status, message);
  report (problem, "refused: a call without the arguments");
  gimp_image_delete (subject.image);
}

/* A layer within groups, depth of them; the outermost is locked. */
static Subject
subject_in_locked_group (int depth)
{
  Subject subject = subject_for ("group", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 50, 40);
  gint32 parent = -1, outermost = -1;

  for (int i = 0; i < depth; i++)
    {
      gint32 group = gimp_layer_group_new (subject.image);

      gimp_image_insert_layer (subject.image, group, parent, 0);
      parent = group;
      if (i == 0)
        outermost = group;
    }
  gimp_image_reorder_item (subject.image, subject.drawable, parent, 0);
  gimp_item_set_lock_content (outermost, TRUE);
  return subject;
}

static void
check_refused (const char *name, Subject subject, const char *words)
{
  Args growing = plain;
  char *problem = refused_problem (subject, &plain, words);

  growing.grow = 1;
  if (! problem)
    problem = refused_problem (subject, &growing, words);
  report (problem, "refused: %s", name);
  gimp_image_delete (subject.image);
}

static void
cases_bad_drawables (void)
{
  Subject subject = subject_for ("indexed", GIMP_PRECISION_U8_GAMMA, GIMP_RGB_IMAGE, 50, 40);
  Subject other;

  gimp_image_convert_indexed (subject.image, GIMP_CONVERT_DITHER_NONE,
                              GIMP_CONVERT_PALETTE_GENERATE, 16, FALSE, FALSE, "");
  check_refused ("an indexed image", subject, "indexed");

  subject = subject_in_locked_group (1);
  gimp_item_set_lock_content (gimp_item_get_parent (subject.drawable), FALSE);
  subject.drawable = gimp_item_get_parent (subject.drawable);
  check_refused ("a group layer", subject, "group");

  subject = subject_for ("locked", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 50, 40);
  gimp_item_set_lock_content (subject.drawable, TRUE);
  check_refused ("a locked layer", subject, "lock");

  subject = subject_for ("locked", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 50, 40);
  gimp_item_set_lock_content (subject.drawable, TRUE);
  subject.drawable = add_mask (subject);
  check_refused ("the mask of a locked layer", subject, "lock");

  subject = subject_for ("locked", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 50, 40);
  subject.drawable = add_channel (subject);
  gimp_item_set_lock_content (subject.drawable, TRUE);
  check_refused ("a locked channel", subject, "lock");

  subject = subject_for ("owner", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 50, 40);
  other = subject_for ("stranger", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 50, 40);
  check_refused ("an image that is not the drawable's",
                 (Subject) { other.image, subject.drawable }, "image is");
  gimp_image_delete (subject.image);

  check_refused ("a child of a locked group", subject_in_locked_group (1), "lock");
  check_refused ("a grandchild of a locked group", subject_in_locked_group (2), "lock");
}

/* The device that is asked for */

static void
cases_device (void)
{
  const char *name = "refused: device 1 without a GPU, saying what is missing";
  Subject subject = subject_for (name, GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 50, 40);
  Args gpu = plain;

  gpu.device = BLUR_DEVICE_GPU;
  if (subject_on_gpu (BLUR_DEVICE_GPU))
    {
      skip (name, "there is a GPU");
      report (blur_problem (subject, &gpu, NULL), "device 1");
    }
  else
    report (refused_problem (subject, &gpu, "driver|NVRTC|architecture|CUDA toolkit"), "%s", name);
  gimp_image_delete (subject.image);
}

/* With CUDA_BLUR_DEVICE=gpu in the environment: it replaces device 0 and no other. */
static void
cases_device_environment (void)
{
  Subject subject = subject_for ("environment", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 50, 40);
  Args args = plain;

  if (subject_on_gpu (BLUR_DEVICE_GPU))
    skip ("CUDA_BLUR_DEVICE=gpu makes device 0 fail without a GPU", "there is a GPU");
  else
    report (refused_problem (subject, &args, "driver|NVRTC|architecture|CUDA toolkit"),
            "CUDA_BLUR_DEVICE=gpu makes device 0 fail without a GPU");
  args.device = BLUR_DEVICE_CPU;
  report (blur_problem (subject, &args, NULL), "CUDA_BLUR_DEVICE=gpu leaves device 2 alone");
  gimp_image_delete (subject.image);
}

static void
run_all (void)
{
  cases_registration ();
  cases_formats ();
  cases_definition ();
  cases_parameters ();
  cases_identity ();
  cases_sizes ();
  cases_places ();
  cases_selections ();
  cases_selection_beside ();
  cases_coverage ();
  cases_coverage_selection ();
  cases_grow ();
  cases_grow_ignored ();
  cases_grow_group ();
  cases_profiles ();
  cases_run_modes ();
  cases_script ();
  cases_bad_arguments ();
  cases_missing_arguments ();
  cases_bad_drawables ();
  cases_device ();
}

void
cases_run (void)
{
  const char *output = g_getenv ("CUDA_BLUR_TEST_OUTPUT");
  const char *own_seed = g_getenv ("CUDA_BLUR_TEST_SEED");

  tap = output ? fopen (output, "w") : NULL;
  if (! tap)
    return; /* the runner reports the missing file */
  if (own_seed)
    seed = g_ascii_strtoull (own_seed, NULL, 10);
  fprintf (tap, "# seed %u (CUDA_BLUR_TEST_SEED), %s\n", seed,
           subject_on_gpu (BLUR_DEVICE_AUTO) ? "on the GPU" : "on the CPU");
  if (g_strcmp0 (g_getenv ("CUDA_BLUR_TEST_CASES"), "device") == 0)
    cases_device_environment ();
  else
    run_all ();
  fprintf (tap, "1..%d\n", n_cases);
  if (n_failed)
    fprintf (tap, "# %d of %d failed\n", n_failed, n_cases);
  fclose (tap);
}
