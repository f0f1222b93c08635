#include "soak-judge.h"

#include "../lib/correlation.h"
#include "../lib/reference.h"

#define SHARES_MIN 1000 /* samples, under which the share of equal ones says nothing */

/* Scenes */

/* Returns whether nothing of the drawable is selected, which is not the same as no selection. */
static gboolean
is_beside (Subject subject)
{
  gint x, y, width, height;

  return ! gimp_drawable_mask_intersect (subject.drawable, &x, &y, &width, &height);
}

SoakScene
soak_scene_make (const SoakCall *call, SoakJudge judge, GRand *rand)
{
  SoakScene scene = { .call = call, .judge = judge, .subject = soak_call_make (call, rand) };
  int device = soak_call_get_device (call);
  g_autoptr (FxPlan) plan = NULL;

  scene.before = subject_read (scene.subject.drawable);
  plan = soak_call_plan (call, scene.subject, &scene.before->format, NULL);
  scene.identity = plan && (plan->identity || is_beside (scene.subject));
  scene.refused = ! plan ||
                  (device == FX_DEVICE_GPU && ! scene.identity && ! subject_on_gpu (device));
  return scene;
}

void
soak_scene_clear (SoakScene *scene)
{
  gimp_image_delete (scene->subject.image);
  raster_free (scene->before);
}

/* Pixels */

static Raster *
run_engine (const SoakCall *call, Subject subject, const Raster *source, GError **error)
{
  if (soak_call_blurs (call))
    {
      BlurParams params = soak_call_get_params (call, subject);

      return raster_blur (source, &params, NULL, error);
    }
  else
    {
      ConvolveParams params = convolution_params (subject.drawable, &call->own);

      return convolution_run (source, &params, error);
    }
}

/* The definition, in double precision. */
static double *
define (const SoakCall *call, Subject subject, const Raster *source)
{
  const FxRect all = { 0, 0, source->width, source->height };

  if (soak_call_blurs (call))
    {
      BlurParams params = soak_call_get_params (call, subject);
      g_autofree double *values = raster_values (source);

      return reference_blur (&params, &source->format, all.width, all.height, &all, values);
    }
  else
    {
      ConvolveParams params = convolution_params (subject.drawable, &call->own);

      return convolution_define (source, &params);
    }
}

/* Returns the expected result for source. */
static double *
expect (const SoakScene *scene, const Raster *source, GError **error)
{
  g_autoptr (Raster) done = NULL;

  if (scene->judge == SOAK_REFERENCE)
    return define (scene->call, scene->subject, source);
  done = run_engine (scene->call, scene->subject, source, error);
  return done ? raster_values (done) : NULL;
}

/* Through the selection, if there is one. GIMP takes the channels of an 8-bit image, coverage
 * though they are, for stored through sRGB's curve. */
static double *
mix (const SoakScene *scene, const Raster *source, double *values)
{
  const Babl *babl = gimp_drawable_get_format (scene->subject.drawable);
  g_autoptr (Raster) stored = NULL;
  g_autofree double *mask = NULL, *blurred = values;

  if (soak_call_is_node (scene->call) || gimp_selection_is_empty (scene->subject.image))
    return g_steal_pointer (&blurred);
  stored = raster_copy (source);
  stored->format.gamma = strchr (babl_format_get_encoding (babl), '\'') != NULL;
  mask = subject_selection (scene->subject);
  return raster_mix (stored, blurred, mask);
}

/* How many times the contract's bound may be used up. */
static double
get_factor (const SoakScene *scene, const Raster *source)
{
  gsize samples = (gsize) source->width * source->height * source->format.channels;
  gboolean selected = ! gimp_selection_is_empty (scene->subject.image);
  gboolean own = scene->call->way == SOAK_CORE_BLUR; /* which rounds twice */
  double factor = selected || own || scene->judge == SOAK_ENGINE ? 2.0
                  : samples < SHARES_MIN                         ? 1.0 + 1e-6
                                                                 : 1.0;
  ConvolveParams params = convolution_params (scene->subject.drawable, &scene->call->own);

  if (soak_call_blurs (scene->call) || source->format.sample <= FX_SAMPLE_U16)
    return factor;
  return factor * correlation_get_gain (&params);
}

/* Against what the judge expects. */
static char *
judged_problem (const SoakScene *scene, const Raster *source, const Raster *after)
{
  g_autoptr (GError) error = NULL;
  g_autofree double *expected = NULL;

  if (scene->judge == SOAK_ANY)
    return NULL;
  expected = expect (scene, source, &error);
  if (! expected)
    return g_strdup_printf ("the engine itself refuses: %s", error->message);
  expected = mix (scene, source, g_steal_pointer (&expected));
  return raster_compare (after, expected, raster_range (source), get_factor (scene, source));
}

/* The layer as it was, and as large as it is to be. */
static Raster *
get_source (const SoakScene *scene)
{
  int x, y;

  soak_call_get_growth (scene->call, scene->subject, &x, &y);
  return raster_enlarge (scene->before, x, y, FALSE);
}

/* Returns whether random pixels must have changed: not if they are few, or if the blur is nearly
 * nothing. */
static gboolean
must_change (const SoakScene *scene)
{
  const SoakCall *call = scene->call;
  gboolean much = soak_call_blurs (call) ? MAX (call->args.sigma_x, call->args.sigma_y) > 0.6
                                         : call->own.channels == 0;

  return much && MIN (call->width, call->height) >= 16 && call->selection == N_SELECTIONS;
}

static char *
size_problem (const Raster *after, const Raster *source)
{
  if (after->width == source->width && after->height == source->height)
    return NULL;
  return g_strdup_printf ("%d x %d pixels, expected %d x %d", after->width, after->height,
                          source->width, source->height);
}

static char *
done_problem (const SoakScene *scene, const Raster *after)
{
  g_autoptr (Raster) source = get_source (scene);
  char *problem = size_problem (after, source);

  if (! problem && must_change (scene) && raster_equal (after, source))
    problem = g_strdup ("nothing has changed");
  return problem ? problem : judged_problem (scene, source, after);
}

/* Messages */

char *
soak_scene_node_problem (const SoakScene *scene, const Raster *after)
{
  return scene->identity ? raster_differs (after, scene->before) : done_problem (scene, after);
}

static char *
unchanged (const SoakScene *scene, const Raster *after, gboolean dirty)
{
  if (dirty)
    return g_strdup ("an undo step without a change");
  return raster_differs (after, scene->before);
}

char *
soak_scene_problem (const SoakScene *scene, const char *message)
{
  gboolean dirty = gimp_image_is_dirty (scene->subject.image);
  g_autoptr (Raster) after = subject_read (scene->subject.drawable);

  if (scene->refused != (message != NULL))
    return g_strdup_printf ("it is to be %s: %s", scene->refused ? "refused" : "done",
                            message ? message : "success");
  if (scene->refused || scene->identity)
    return unchanged (scene, after, dirty);
  return dirty ? done_problem (scene, after) : g_strdup ("no undo step");
}

/* A process that nobody waits for any more may still put the result there: whether there is an undo
 * step is looked at before the pixels are. A layer that grows may have been enlarged and given its
 * old size again. */
char *
soak_scene_broken_problem (const SoakScene *scene, const char *message)
{
  gboolean dirty = gimp_image_is_dirty (scene->subject.image);
  g_autoptr (Raster) after = subject_read (scene->subject.drawable);
  gboolean old = raster_equal (after, scene->before);
  char *problem;
  int x, y;

  soak_call_get_growth (scene->call, scene->subject, &x, &y);
  if (! message || ! old)
    return scene->refused || scene->identity ? raster_differs (after, scene->before)
                                             : done_problem (scene, after);
  if (! dirty || x > 0 || y > 0)
    return NULL;
  /* If there are few pixels, the result may equal them. */
  problem = done_problem (scene, after);
  return problem ? g_strdup_printf ("an undo step for an error: %s; %s", message, problem) : NULL;
}
