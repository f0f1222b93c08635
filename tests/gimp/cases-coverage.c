#include "cases.h"

/* Selections */

/* GIMP takes whatever it merges through a selection from 32-bit samples to single precision and
 * back, in all of the selection's bounding rectangle. */
static gboolean
rounds_in_bounds (const Raster *raster)
{
  FxSample sample = raster->format.sample;

  return sample == FX_SAMPLE_U32 || sample == FX_SAMPLE_FLOAT || sample == FX_SAMPLE_DOUBLE;
}

/* Pixels outside the selection must stay the same. */
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
        gboolean within = x >= bounds.x && x < bounds.x + bounds.width && y >= bounds.y &&
                          y < bounds.y + bounds.height;
        double allowed = within && rounds_in_bounds (after) ? 2e-6 : 0.0;

        for (int c = 0; mask[pixel] == 0.0 && c < channels; c++)
          if (fabs (a[pixel * channels + c] - b[pixel * channels + c]) > allowed)
            return g_strdup_printf ("the pixel at %d,%d is outside the selection but has changed "
                                    "from %.9g to %.9g in channel %d",
                                    x, y, b[pixel * channels + c], a[pixel * channels + c], c);
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

char *
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
  problem = problem ?: merge_problem (after, before, subject.drawable, args, mask);
  return problem;
}

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

Subject
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
check_selections (void)
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
        Subject subject = subject_under (name, precision->precision, image_types[kinds[k].type], s);
        Args args = { 3.0, 4.0, 0, s, k % 2, 0, 0 };

        report_on (subject, selection_problem (subject, &args), "%s", name);
      }
}

static void
check_selection_beside (void)
{
  const char *name = "a selection beside the layer: success and nothing changes";
  Subject subject = subject_under (name, GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE,
                                   SELECT_RECTANGLE);

  gimp_image_select_rectangle (subject.image, GIMP_CHANNEL_OP_REPLACE, 0, 0, 15, 100);
  report_on (subject, unchanged_problem (subject, &plain), "%s", name);
}

/* Masks and channels: coverage, blurred as it is whatever the light. */

gint32
add_mask (Subject subject)
{
  gint32 mask = gimp_layer_create_mask (subject.drawable, GIMP_ADD_MASK_WHITE);

  gimp_layer_add_mask (subject.drawable, mask);
  return mask;
}

gint32
add_channel (Subject subject)
{
  GimpRGB red = { 1.0, 0.0, 0.0, 1.0 };
  gint32 channel = gimp_channel_new (subject.image, "channel", gimp_image_width (subject.image),
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
check_coverage (void)
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
          report_on (subject, coverage_problem (subject, add_channel (subject), &args),
                     "channel, %s, abyss %d, light %d", precisions[p].name, args.abyss, light);
      }
}

/* The same against the definition, and under a selection. */
static void
check_coverage_under (const char *name, gboolean mask, Selection selection)
{
  g_autoptr (GRand) rand = case_rand (name);
  Subject subject = subject_under (name, GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, selection);
  Subject coverage = { subject.image, mask ? add_mask (subject) : add_channel (subject) };

  subject_fill (coverage.drawable, rand, FALSE);
  report_on (subject, selection_problem (coverage, &plain), "%s", name);
}

static void
check_coverage_selections (void)
{
  Subject subject = subject_for ("selection", GIMP_PRECISION_U8_GAMMA, GIMP_RGB_IMAGE, 90, 60);

  check_coverage_under ("layer mask under a rectangle", TRUE, SELECT_RECTANGLE);
  check_coverage_under ("layer mask under a feathered rectangle", TRUE, SELECT_FEATHERED);
  check_coverage_under ("channel under a feathered rectangle", FALSE, SELECT_FEATHERED);

  gimp_image_select_rectangle (subject.image, GIMP_CHANNEL_OP_REPLACE, 20, 15, 40, 30);
  report_on (subject, coverage_problem (subject, gimp_image_get_selection (subject.image), &plain),
             "the selection itself, as a channel");
}

void
cases_coverage (void)
{
  check_selections ();
  check_selection_beside ();
  check_coverage ();
  check_coverage_selections ();
}
