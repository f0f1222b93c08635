/* The lens blur within GIMP: formats, coverage, growth, run modes, and what is refused. */
#include "cases.h"
#include "lens-call.h"

/* Every argument differs from its initial value in one of them. */
static const Lens shapes[] = {
  { .radius = 5.0, .blades = 6, .threshold = 0.8 },
  { .radius = 7.5, .blades = 0, .ring = 0.7, .threshold = 0.8, .abyss = FX_ABYSS_NONE },
  { .radius = 4.25,
    .blades = 5,
    .rotation = 31.0,
    .roundness = 0.4,
    .threshold = 0.8,
    .light = 1,
    .abyss = FX_ABYSS_WHITE },
  { .radius = 9.0,
    .blades = 12,
    .squeeze = -0.8,
    .ring = -1.0,
    .threshold = 0.8,
    .abyss = FX_ABYSS_BLACK },
  { .radius = 6.0, .blades = 8, .squeeze = 1.0, .highlights = 3.0, .threshold = 0.5 },
};

/* Applies it, and compares the result with the engine's. */
static char *
apply_problem (Subject subject, const Lens *lens)
{
  g_autoptr (Raster) before = subject_read (subject.drawable);
  g_autoptr (Raster) after = NULL;
  GimpPDBStatusType status;
  char *problem;

  if (! lens_apply (subject, GIMP_RUN_NONINTERACTIVE, lens, &status, &problem))
    return problem;
  after = subject_read (subject.drawable);
  if (raster_equal (after, before))
    return g_strdup ("nothing has changed");
  return lens_differs (after, before, subject.drawable, lens);
}

static void
check_formats (void)
{
  for (int p = 0; p < N_PRECISIONS; p++)
    for (guint t = 0; t < G_N_ELEMENTS (image_types); t++)
      {
        const Lens *lens = &shapes[(p + t) % G_N_ELEMENTS (shapes)];
        g_autofree char *name = g_strdup_printf ("lens: %s, %s", precisions[p].name, type_names[t]);
        g_autoptr (GRand) rand = case_rand (name);
        Subject subject = subject_new (precisions[p].precision, image_types[t], 61, 47, rand,
                                       FALSE);

        report_on (subject, apply_problem (subject, lens), "%s, radius %g", name, lens->radius);
      }
}

/* Masks and channels are the same in each light, and have no highlights; the layer stays. */
static char *
coverage_problem (Subject subject, gint32 coverage, const Lens *lens)
{
  g_autoptr (GRand) rand = case_rand ("coverage");
  g_autoptr (Raster) before = subject_read (subject.drawable);
  g_autoptr (Raster) after = NULL;
  char *problem;

  subject_fill (coverage, rand, FALSE);
  problem = apply_problem ((Subject) { subject.image, coverage }, lens);
  if (problem)
    return problem;
  after = subject_read (subject.drawable);
  return raster_differs (after, before);
}

static void
check_coverage (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
    {
      Subject subject = subject_for ("coverage", precisions[2 * i].precision, GIMP_RGBA_IMAGE, 61,
                                     47);

      report (coverage_problem (subject, add_mask (subject), &shapes[i]), "lens: a layer mask, %s",
              precisions[2 * i].name);
      report_on (subject, coverage_problem (subject, add_channel (subject), &shapes[i]),
                 "lens: a channel, %s", precisions[2 * i].name);
    }
}

/* The layer grows as far as the aperture reaches, which is less far where it is squeezed. Beyond it
 * is nothing. */
static char *
grown_problem (Subject subject, const Lens *lens, int x, int y)
{
  g_autoptr (Raster) before = subject_read (subject.drawable);
  g_autoptr (Raster) large = raster_enlarge (before, x, y, FALSE);
  g_autoptr (Raster) after = NULL;
  Lens soft = *lens;
  GimpPDBStatusType status;
  gint left, top;
  char *problem;

  if (! lens_apply (subject, GIMP_RUN_NONINTERACTIVE, lens, &status, &problem))
    return problem;
  gimp_drawable_offsets (subject.drawable, &left, &top);
  after = subject_read (subject.drawable);
  if (left != -x || top != -y || after->width != large->width || after->height != large->height)
    return g_strdup_printf ("%d x %d at %d,%d; expected %d x %d at %d,%d", after->width,
                            after->height, left, top, large->width, large->height, -x, -y);
  soft.abyss = FX_ABYSS_NONE;
  return lens_differs (after, large, subject.drawable, &soft);
}

static void
check_growth (void)
{
  const Lens squeezed = { .radius = 12.0, .squeeze = 1.0, .abyss = FX_ABYSS_CLAMP, .grow = TRUE };
  LensParams params = { .radius = 12.0, .squeeze = 1.0 };
  Subject subject = subject_for ("grown", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 60, 44);
  int x, y;

  lens_params_get_growth (&params, &x, &y);
  report_on (subject, grown_problem (subject, &squeezed, x, y), "lens: a layer grows by %d, %d", x,
             y);
}

/* Success, the same bytes, no undo step. */
static void
check_identity (void)
{
  const Lens lens = { .radius = 0.0, .blades = 6 };
  Subject subject = subject_for ("identity", GIMP_PRECISION_U8_GAMMA, GIMP_RGB_IMAGE, 40, 30);
  Attempt attempt = attempt_begin (subject);

  lens_apply (subject, GIMP_RUN_NONINTERACTIVE, &lens, &attempt.status, &attempt.message);
  report_on (subject, attempt_unchanged_problem (&attempt), "lens: radius 0 changes nothing");
}

/* Without last values, the initial ones. */
static void
check_last_values (void)
{
  static const char text[] =
    "1 (radius 4.25) (blades 5) (rotation 31) (roundness 0.5) (ring -0.25) (squeeze 0.5) "
    "(highlights 1) (threshold 0.75) (abyss none) (light perceptual) (grow no) (device cpu)";
  const Lens used = { 4.25, 5,    31.0,          0.5, -0.25, 0.5,
                      1.0,  0.75, FX_ABYSS_NONE, 1,   FALSE, FX_DEVICE_CPU };
  const Lens initial = { .radius = 10.0, .blades = 6, .threshold = 0.8 };

  for (int kept = 0; kept < 2; kept++)
    {
      Subject subject = subject_for ("last", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 60, 50);
      g_autoptr (Raster) before = subject_read (subject.drawable);
      g_autoptr (Raster) after = NULL;
      GimpPDBStatusType status;
      char *problem;

      if (kept)
        gimp_set_data (LENS_BLUR, text, sizeof text - 1);
      if (lens_apply (subject, GIMP_RUN_WITH_LAST_VALS, NULL, &status, &problem))
        {
          after = subject_read (subject.drawable);
          problem = lens_differs (after, before, subject.drawable, kept ? &used : &initial);
        }
      report_on (subject, problem, "lens: last values, %s", kept ? "kept" : "where there are none");
    }
}

/* Refusals: one sentence, no change, no undo step. */

static char *
refused_problem (Subject subject, const Lens *lens, const char *sentence)
{
  Attempt attempt = attempt_begin (subject);

  lens_apply (subject, GIMP_RUN_NONINTERACTIVE, lens, &attempt.status, &attempt.message);
  return attempt_refused_problem (&attempt, sentence);
}

static void
check_refusals (void)
{
  static const struct {
    Lens lens;
    const char *sentence;
  } bad[] = {
    { { .radius = -1.0 }, "radius is -1, but must be " },
    { { .radius = 500.5 }, "radius is 500.5, but must be " },
    { { .radius = 5.0, .blades = 1 }, "blades is 1, but must be " },
    { { .radius = 5.0, .blades = 2 }, "blades is 2, but must be " },
    { { .radius = 5.0, .blades = 13 }, "blades is 13, but must be " },
    { { .radius = 5.0, .blades = -3 }, "blades is -3, but must be " },
    { { .radius = 5.0, .rotation = 181.0 }, "rotation is 181, but must be " },
    { { .radius = 5.0, .roundness = 1.5 }, "roundness is 1.5, but must be " },
    { { .radius = 5.0, .ring = -1.5 }, "ring is -1.5, but must be " },
    { { .radius = 5.0, .squeeze = 2.0 }, "squeeze is 2, but must be " },
    { { .radius = 5.0, .highlights = 7.0 }, "highlights is 7, but must be " },
    { { .radius = 5.0, .threshold = -0.5 }, "threshold is -0.5, but must be " },
    { { .radius = 5.0, .abyss = 4 }, "abyss is 4, but must be 0 (clamp)" },
    { { .radius = 5.0, .light = 2 }, "light is 2, but must be 0 (linear)" },
    { { .radius = 5.0, .grow = 2 }, "grow is 2, but must be 0 (no)" },
    { { .radius = 5.0, .device = 3 }, "device is 3, but must be 0 (automatic)" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      Subject subject = subject_for ("refused", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 50, 40);

      report_on (subject, refused_problem (subject, &bad[i].lens, bad[i].sentence),
                 "lens: refused: %s", bad[i].sentence);
    }
}

void
cases_lens (void)
{
  check_formats ();
  check_coverage ();
  check_growth ();
  check_identity ();
  check_last_values ();
  check_refusals ();
}
