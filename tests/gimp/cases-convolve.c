/* The convolution matrix within GIMP: formats, coverage, selections, and GIMP's own. */
#include "cases.h"
#include "convolution.h"
#include "../lib/correlation.h"

/* Asymmetric in every way; sums of such numbers lie nowhere between two levels. */
static const double crooked[15] = { 0.53, -0.27, 0.71, 0.13, -0.52, 1.07,  0.0,  0.24,
                                    0.5,  -1.03, 0.0,  0.73, 0.49,  -0.97, -0.11 };
static const double soft[9] = { 1, 2, 1, 3, 5, 2, 1, 2, 4 };
static const double sharpen[9] = { 0, -1, 0, -1, 5, -1, 0, -1, 0 };
static const double edges[9] = { -1, 0, 1, -2, 0, 2, -1, 0, 1 };

/* The matrices by turns: what each means for alpha differs. */
static Convolution
get_convolution (int which)
{
  const Convolution all[] = {
    { .rows = 3, .columns = 5, .count = 15, .values = crooked, .offset = 0.11, .weighting = 2 },
    { .rows = 3, .columns = 3, .count = 9, .values = soft },
    { .rows = 3, .columns = 3, .count = 9, .values = edges, .divisor = 4.0, .offset = 0.5 },
    { .rows = 3, .columns = 3, .count = 9, .values = sharpen, .channels = 7 },
  };

  return all[which % G_N_ELEMENTS (all)];
}

/* The engine's bytes, or on a GPU its pixels. */
static char *
engine_problem (const Raster *after, const Raster *before, gint32 drawable,
                const Convolution *convolution)
{
  ConvolveParams params = convolution_params (drawable, convolution);
  g_autoptr (GError) error = NULL;
  g_autoptr (Raster) expected = convolution_run (before, &params, &error);

  if (! expected)
    return g_strdup_printf ("the engine itself refuses: %s", error->message);
  return subject_differs (after, expected, convolution->device, raster_range (before),
                          2.0 * correlation_get_gain (&params));
}

static char *
definition_problem (const Raster *after, const Raster *before, gint32 drawable,
                    const Convolution *convolution)
{
  ConvolveParams params = convolution_params (drawable, convolution);
  g_autofree double *expected = convolution_define (before, &params);
  double factor = before->format.sample <= FX_SAMPLE_U16 ? 1.0 : correlation_get_gain (&params);

  return raster_compare (after, expected, raster_range (before), factor);
}

/* Applies it, and compares the result with the engine's and, if there is one, with the
 * definition's. */
static char *
apply_problem (Subject subject, const Convolution *convolution, gboolean defined)
{
  g_autoptr (Raster) before = subject_read (subject.drawable);
  g_autoptr (Raster) after = NULL;
  GimpPDBStatusType status;
  char *problem;

  if (! convolution_apply (subject, GIMP_RUN_NONINTERACTIVE, convolution, &status, &problem))
    return problem;
  after = subject_read (subject.drawable);
  if (raster_bytes (after) != raster_bytes (before))
    return raster_differs (after, before);
  problem = engine_problem (after, before, subject.drawable, convolution);
  if (! problem && defined)
    problem = definition_problem (after, before, subject.drawable, convolution);
  return problem;
}

static void
check_formats (void)
{
  for (int p = 0; p < N_PRECISIONS; p++)
    for (guint t = 0; t < G_N_ELEMENTS (image_types); t++)
      {
        g_autofree char *name = g_strdup_printf ("convolve: %s, %s", precisions[p].name,
                                                 type_names[t]);
        g_autoptr (GRand) rand = case_rand (name);
        Subject subject = subject_new (precisions[p].precision, image_types[t], 61, 47, rand,
                                       FALSE);
        Convolution convolution = get_convolution (p + (int) t);

        convolution.abyss = p % 4;
        convolution.light = (p / 2 + (int) t) % 2;
        report_on (subject, apply_problem (subject, &convolution, TRUE),
                   "%s, matrix %d, abyss %d, light %d", name, (p + (int) t) % 4, convolution.abyss,
                   convolution.light);
      }
}

static void
check_channels (void)
{
  for (int channels = 0; channels <= 15; channels++)
    {
      Subject subject = subject_for ("channels", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 40, 30);
      Convolution convolution = get_convolution (channels & 2);

      convolution.channels = channels;
      report_on (subject, apply_problem (subject, &convolution, TRUE), "convolve: channels %d",
                 channels);
    }
}

static void
check_large (int side, int width, int height)
{
  const int n = side * side;
  g_autofree double *values = g_new (double, n);
  Convolution convolution = { .rows = side, .columns = side, .count = n, .values = values };
  Subject subject = subject_for ("large", GIMP_PRECISION_U8_GAMMA, GIMP_RGB_IMAGE, width, height);

  for (int i = 0; i < n; i++)
    values[i] = i % 7 - 2.5;
  report_on (subject, apply_problem (subject, &convolution, TRUE), "convolve: %d x %d", side, side);
}

static void
check_sizes (void)
{
  static const int sizes[][2] = { { 1, 1 }, { 2, 1 }, { 129, 127 }, { 1, 100000 }, { 100000, 1 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      Subject subject = subject_for ("sizes", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, sizes[i][0],
                                     sizes[i][1]);
      Convolution convolution = get_convolution (i);

      report_on (subject, apply_problem (subject, &convolution, TRUE),
                 "convolve: a layer of %d x %d", sizes[i][0], sizes[i][1]);
    }
}

/* Masks and channels, whose light does not count; the layer must stay. */
static char *
coverage_problem (Subject subject, gint32 coverage, int which)
{
  g_autoptr (GRand) rand = case_rand ("coverage");
  g_autoptr (Raster) before = subject_read (subject.drawable);
  g_autoptr (Raster) after = NULL;
  Convolution convolution = get_convolution (which);
  char *problem;

  convolution.light = which % 2;
  subject_fill (coverage, rand, FALSE);
  problem = apply_problem ((Subject) { subject.image, coverage }, &convolution, TRUE);
  if (problem)
    return problem;
  after = subject_read (subject.drawable);
  return raster_differs (after, before);
}

static void
check_coverage (void)
{
  for (int p = 0; p < N_PRECISIONS; p += 3)
    {
      Subject subject = subject_for ("coverage", precisions[p].precision, GIMP_RGBA_IMAGE, 61, 47);

      report (coverage_problem (subject, add_mask (subject), p), "convolve: a layer mask, %s",
              precisions[p].name);
      report_on (subject, coverage_problem (subject, add_channel (subject), p + 1),
                 "convolve: a channel, %s", precisions[p].name);
    }
}

static char *
selection_problem_of (Subject subject, const Convolution *convolution)
{
  g_autoptr (Raster) before = subject_read (subject.drawable);
  g_autofree double *mask = subject_selection (subject), *mixed = NULL, *expected = NULL;
  ConvolveParams params = convolution_params (subject.drawable, convolution);
  g_autoptr (Raster) after = NULL;
  GimpPDBStatusType status;
  char *problem;

  if (! convolution_apply (subject, GIMP_RUN_NONINTERACTIVE, convolution, &status, &problem))
    return problem;
  after = subject_read (subject.drawable);
  expected = convolution_define (before, &params);
  mixed = raster_mix (before, expected, mask);
  return raster_compare (after, mixed, raster_range (before), 2.0);
}

static void
check_selection (void)
{
  Subject subject = subject_under ("selection", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE,
                                   SELECT_FEATHERED);
  Convolution convolution = get_convolution (1);

  report_on (subject, selection_problem_of (subject, &convolution),
             "convolve: through a feathered selection");
}

/* Success, the same bytes, no undo step. */
static void
check_identity (void)
{
  static const double one[] = { 1.0 }, middle[] = { 0, 0, 0, 0, 3, 0, 0, 0, 0 };
  const Convolution identities[] = {
    { .rows = 1, .columns = 1, .count = 1, .values = one },
    { .rows = 3, .columns = 3, .count = 9, .values = middle },
  };

  for (guint i = 0; i < G_N_ELEMENTS (identities); i++)
    {
      Subject subject = subject_for ("identity", GIMP_PRECISION_U8_GAMMA, GIMP_RGB_IMAGE, 40, 30);
      Attempt attempt = attempt_begin (subject);

      convolution_apply (subject, GIMP_RUN_NONINTERACTIVE, &identities[i], &attempt.status,
                         &attempt.message);
      report_on (subject, attempt_unchanged_problem (&attempt),
                 "convolve: identity %d changes nothing", i);
    }
}

/* Other ways to call it. */

static void
check_script (const char *name, const char *arguments, const Convolution *convolution)
{
  Subject subject = subject_for ("script", GIMP_PRECISION_U8_GAMMA, GIMP_RGB_IMAGE, 60, 50);
  g_autoptr (Raster) before = subject_read (subject.drawable);
  g_autoptr (Raster) after = NULL;
  char *problem = script_problem (subject, CONVOLVE, arguments);

  after = subject_read (subject.drawable);
  report_on (subject, problem ?: engine_problem (after, before, subject.drawable, convolution),
             "convolve: called from Script-Fu%s", name);
}

/* Which hands values on in single precision: these have no sum but their rounding. */
static void
check_scripts (void)
{
  static const double balanced[] = { 0.1, 0.2, -0.3 };

  check_script ("", "3 3 9 #(0 -1 0 -1 5 -1 0 -1 0) 0 0.25 5 0 2 1 0",
                &(Convolution) { 3, 3, 9, sharpen, 0.0, 0.25, 5, 0, 2, 1, 0 });
  check_script (", with no sum", "1 3 3 #(0.1 0.2 -0.3) 0 0.5 0 0 0 0 0",
                &(Convolution) { 1, 3, 3, balanced, 0.0, 0.5, 0, 0, 0, 0, 0 });
}

/* With a matrix among them; without last values, the initial ones, which sharpen. */
static void
check_last_values (void)
{
  const Convolution used = { 3, 5, 15, crooked, 2.0, 0.1, 7, 2, 1, 1, FX_DEVICE_CPU };
  const Convolution initial = { 3, 3, 9, sharpen };
  static const char text[] =
    "1 (values 3x5: 0.53 -0.27 0.71 0.13 -0.52 1.07 0 0.24 0.5 -1.03 0 0.73 "
    "0.49 -0.97 -0.11) (divisor 2) (offset 0.10000000000000001) (channels 7) "
    "(alpha-weighting straight) (abyss none) (light perceptual) "
    "(device cpu)";

  for (int kept = 0; kept < 2; kept++)
    {
      Subject subject = subject_for ("last", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 60, 50);
      g_autoptr (Raster) before = subject_read (subject.drawable);
      g_autoptr (Raster) after = NULL;
      GimpPDBStatusType status;
      char *problem;

      if (kept)
        gimp_set_data (CONVOLVE, text, sizeof text - 1);
      if (convolution_apply (subject, GIMP_RUN_WITH_LAST_VALS, NULL, &status, &problem))
        {
          after = subject_read (subject.drawable);
          problem = engine_problem (after, before, subject.drawable, kept ? &used : &initial);
        }
      report_on (subject, problem, "convolve: last values, %s",
                 kept ? "kept" : "where there are none");
    }
}

/* GIMP's own, 5 x 5. It convolves what is stored, in whatever light that is, and takes the matrix
 * column by column. If alpha counts, it does not divide by the sum's alpha, so the results agree
 * only without alpha, or with straight alpha. Its border "extend" clamps; beyond "clear" is
 * nothing. */
static char *
own_problem (Subject subject, const Convolution *convolution, gboolean clear)
{
  g_autoptr (Raster) before = subject_read (subject.drawable);
  g_autoptr (Raster) after = NULL, own = NULL;
  g_autofree double *values = NULL;
  double turned[25];
  gint32 channels[5], n_values;
  Subject copy = { gimp_image_duplicate (subject.image) };
  GimpParam *results;
  GimpPDBStatusType status;
  char *problem;

  for (int c = 0; c < 5; c++)
    channels[c] = c == 0 || convolution->channels >> (c - 1) & 1; /* grey first */
  for (int i = 0; i < 25; i++)
    turned[i % 5 * 5 + i / 5] = convolution->values[i];
  copy.drawable = gimp_image_get_active_layer (copy.image);
  results = gimp_run_procedure ("plug-in-convmatrix", &n_values, GIMP_PDB_INT32,
                                GIMP_RUN_NONINTERACTIVE, GIMP_PDB_IMAGE, copy.image,
                                GIMP_PDB_DRAWABLE, copy.drawable, GIMP_PDB_INT32, 25,
                                GIMP_PDB_FLOATARRAY, turned, GIMP_PDB_INT32, FALSE, GIMP_PDB_FLOAT,
                                convolution->divisor, GIMP_PDB_FLOAT, convolution->offset,
                                GIMP_PDB_INT32, 5, GIMP_PDB_INT32ARRAY, channels, GIMP_PDB_INT32,
                                clear ? 2 : 0, GIMP_PDB_END);
  if (results[0].data.d_status != GIMP_PDB_SUCCESS)
    problem = g_strdup_printf ("GIMP's own: %s", gimp_get_pdb_error ());
  else if (convolution_apply (subject, GIMP_RUN_NONINTERACTIVE, convolution, &status, &problem))
    {
      after = subject_read (subject.drawable);
      own = subject_read (copy.drawable);
      values = raster_values (own);
      problem = raster_equal (own, before)
                  ? g_strdup ("GIMP's own changes nothing")
                  : raster_compare (after, values, raster_range (before), 2.0);
    }
  gimp_destroy_params (results, n_values);
  gimp_image_delete (copy.image);
  return problem;
}

static void
check_own (void)
{
  static const double five[25] = { 1, 0,  2,  0, 0.5, 0, 3, -1, 0,    0, 0, 1.5, 4,
                                   0, -1, -2, 0, 1,   0, 0, 0,  0.25, 0, 0, -1 };
  static const struct {
    GimpPrecision precision;
    GimpImageType type;
    int light, channels;
    const char *name;
  } kinds[] = {
    { GIMP_PRECISION_U8_GAMMA, GIMP_RGB_IMAGE, 1, 15, "8-bit RGB" },
    { GIMP_PRECISION_U8_GAMMA, GIMP_RGB_IMAGE, 1, 10, "green alone of 8-bit RGB" },
    { GIMP_PRECISION_U16_LINEAR, GIMP_GRAY_IMAGE, 0, 15, "16-bit linear grey" },
    { GIMP_PRECISION_FLOAT_LINEAR, GIMP_RGBA_IMAGE, 0, 15, "float linear RGBA, straight" },
    { GIMP_PRECISION_FLOAT_GAMMA, GIMP_RGBA_IMAGE, 1, 7, "colour of float RGBA, straight" },
  };

  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    for (int clear = 0; clear < 2; clear++)
      {
        g_autoptr (GRand) rand = case_rand (kinds[k].name);
        Subject subject = subject_new (kinds[k].precision, kinds[k].type, 50, 40, rand, FALSE);
        const Convolution convolution = { .rows = 5,
                                          .columns = 5,
                                          .count = 25,
                                          .values = five,
                                          .divisor = 7.25,
                                          .offset = 0.0625,
                                          .channels = kinds[k].channels,
                                          .weighting = CONVOLVE_ALPHA_STRAIGHT,
                                          .abyss = clear ? FX_ABYSS_NONE : FX_ABYSS_CLAMP,
                                          .light = kinds[k].light };

        report_on (subject, own_problem (subject, &convolution, clear),
                   "convolve: as GIMP's own: %s%s", kinds[k].name, clear ? ", clear border" : "");
      }
}

void
cases_convolve (void)
{
  check_formats ();
  check_channels ();
  check_large (63, 150, 40);
  check_large (1023, 7, 3);
  check_sizes ();
  check_coverage ();
  check_selection ();
  check_identity ();
  check_scripts ();
  check_last_values ();
  check_own ();
}
