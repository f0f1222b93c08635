#include "cases.h"

/* Precisions and layer types */

static void
check_formats (void)
{
  for (int p = 0; p < N_PRECISIONS; p++)
    for (guint t = 0; t < G_N_ELEMENTS (image_types); t++)
      {
        g_autofree char *name = g_strdup_printf ("%s, %s", precisions[p].name, type_names[t]);
        Subject subject = subject_for (name, precisions[p].precision, image_types[t], 137, 61);
        Args args = plain;

        args.abyss = (p + t) % 4;
        args.light = (p / 2 + t) % 2;
        report_on (subject, blur_problem (subject, &args, NULL), "%s: abyss %d, light %d", name,
                   args.abyss, args.light);
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
check_definition (void)
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

      report_on (subject, blur_problem (subject, args, NULL), "%s", name);
    }
}

static void
check_parameters (void)
{
  static const int sizes[] = { 3, 31, 9999 };
  static const char *abysses[] = { "clamp", "none", "black", "white" };

  check_args ("sigma-x alone", &(Args) { .sigma_x = 4.0 });
  check_args ("sigma-y alone", &(Args) { .sigma_y = 4.0 });
  check_args ("sigma-x under 0.2", &(Args) { 0.15, 3.0, 0, 0, 0, 0, 0 });
  check_args ("device 2", &(Args) { 3.0, 3.0, 0, 0, 0, 0, FX_DEVICE_CPU });
  check_args ("sigma 5000", &(Args) { 5000.0, 5000.0, 0, FX_ABYSS_CLAMP, 0, 0, 0 });
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autofree char *name = g_strdup_printf ("kernel size %d", sizes[i]);

      check_args (name, &(Args) { 5.0, 7.0, sizes[i], FX_ABYSS_CLAMP, 0, 0, 0 });
    }
  for (int abyss = 0; abyss < 4; abyss++)
    {
      g_autofree char *name = g_strdup_printf ("sigma 30, abyss %s", abysses[abyss]);

      check_args (name, &(Args) { 30.0, 30.0, 0, abyss, FX_LIGHT_LINEAR, 0, 0 });
    }
}

static void
check_identity (void)
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

      report_on (subject, unchanged_problem (subject, &identities[i].args), "%s: nothing changes",
                 identities[i].name);
    }
}

/* Sizes and places */

static void
check_sizes (void)
{
  static const int sizes[]
                        [2] = {
                          { 1, 1 },      { 1, 150 },    { 150, 1 },    { 2, 3 },
                          { 128, 128 },  { 129, 127 },  { 130, 257 },  { 400, 300 },
                          { 1, 100000 }, { 100000, 1 }, { 33000, 140 } /* a row of its tiles is more
                                                                          than a band */
                        };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (int deep = 0; deep < 2; deep++)
      {
        g_autofree char *name = g_strdup_printf ("%d x %d, %s", sizes[i][0], sizes[i][1],
                                                 deep ? "float grey" : "8-bit RGBA");
        Subject subject = subject_for (name,
                                       deep ? GIMP_PRECISION_FLOAT_LINEAR : GIMP_PRECISION_U8_GAMMA,
                                       deep ? GIMP_GRAY_IMAGE : GIMP_RGBA_IMAGE, sizes[i][0],
                                       sizes[i][1]);

        report_on (subject, blur_problem (subject, &plain, NULL), "%s", name);
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
  report_on (subject, problem, "layer %s", name);
}

static void
check_places (void)
{
  check_place ("with an offset", 40, 25, 300, 200);
  check_place ("larger than the canvas", -30, -20, 80, 50);
  check_place ("partly outside the canvas", -60, 70, 150, 100);
  check_place ("wholly outside the canvas", 500, 400, 100, 100);
}

void
cases_pixels (void)
{
  check_formats ();
  check_definition ();
  check_parameters ();
  check_identity ();
  check_sizes ();
  check_places ();
}
