/* The builder: compilations in the background, many of them, and some that take long or never
 * end. */
#include "builder.h"

#include "blur-gpu.h"
#include "blur-plan.h"
#include "error.h"
#include "fault.h"
#include "folder.h"
#include "stand-in.h"
#include "test.h"

#define JOBS_MAX 64     /* as in builder.c */
#define NO_HURRY 600000 /* milliseconds: a compiler may take long on a busy machine */

static const FxProgram *const programs[] = { &blur_program_fir_specialised,
                                             &blur_program_fir_specialised };

static struct {
  GMutex lock;
  GCond changed;
  int begun;
  gboolean held;
} compiling;

/* Lets the texts that are no programs fail. */
static void
count (const char *source)
{
  if (strstr (source, "no program"))
    fault_order ("nvrtcCompileProgram", 0, FAULT_ALWAYS);
  g_mutex_lock (&compiling.lock);
  compiling.begun++;
  g_cond_broadcast (&compiling.changed);
  g_mutex_unlock (&compiling.lock);
}

/* Has text compiled in the background, and waits until that has begun: the compilations before it
 * have ended then. */
static void
begin (FxBuilder *builder, const char *text, int number)
{
  g_assert_null (fx_builder_find (builder, &blur_program_fir_specialised, text));
  g_mutex_lock (&compiling.lock);
  while (compiling.begun < number)
    g_cond_wait (&compiling.changed, &compiling.lock);
  g_mutex_unlock (&compiling.lock);
}

static char *
get_text (double sigma)
{
  const FxFormat format = { FX_SAMPLE_U8, 4, TRUE };
  const BlurParams params = { .sigma_x = sigma, .sigma_y = sigma };
  g_autoptr (FxPlan) plan = blur_plan_new (&params, &format, NULL);
  const FxProgramCase program_case = {
    .codec = plan->codec,
    .plan = plan,
    .shared_block = 232448,
    .shared_processor = 233472,
  };

  return fx_program_get_text (&blur_program_fir_specialised, &program_case);
}

/* Has texts that are no programs compiled in the background, until there are as many jobs as are
 * kept. */
static void
fill (FxBuilder *builder)
{
  g_autofree char *last = NULL;
  GBytes *code;

  for (int i = 1; i < JOBS_MAX; i++)
    {
      g_free (last);
      last = g_strdup_printf ("no program %d", i);
      begin (builder, last, i + 1);
    }
  g_assert_false (fx_builder_get (builder, 1, programs, &last, &code, NULL)); /* waits for it */
  g_assert_true (fault_end ());
}

/* A builder with an empty cache. */
typedef struct {
  FxBuilder *builder;
  char *folder;
  char *texts[2];
} Scene;

static FxBuilder *
make_builder (const Scene *scene, int timeout)
{
  const FxConfig config = { .cache_dir = scene->folder, .timeout = timeout };

  return fx_builder_new (90, 13, &config);
}

static void
scene_init (Scene *scene, int timeout, void (*on_compile) (const char *source))
{
  scene->folder = g_dir_make_tmp ("cuda-blur-XXXXXX", NULL);
  scene->builder = make_builder (scene, timeout);
  scene->texts[0] = get_text (2.0);
  scene->texts[1] = get_text (3.0);
  compiling.begun = 0;
  stand_in_on_compile (on_compile);
}

static void
scene_clear (Scene *scene)
{
  fx_builder_free (scene->builder);
  stand_in_on_compile (NULL);
  folder_remove (scene->folder);
  g_free (scene->folder);
  g_free (scene->texts[0]);
  g_free (scene->texts[1]);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Scene, scene_clear)

/* Returns whether the first n texts from first on have code, or fails with an error if not. */
static gboolean
get (const Scene *scene, int first, int n, GError **error)
{
  GBytes *codes[2];
  const gboolean done = fx_builder_get (scene->builder, n, programs, scene->texts + first, codes,
                                        error);

  for (int i = 0; i < n && done; i++)
    {
      g_assert_cmpuint (g_bytes_get_size (codes[i]), >, 0);
      g_bytes_unref (codes[i]);
    }
  return done;
}

/* A missing program is compiled in the background; then others find it, too. */
TEST (test_background, "/builder/background")
{
  g_auto (Scene) scene = { 0 };
  g_autoptr (GBytes) code = NULL, again = NULL;
  FxBuilder *other;

  scene_init (&scene, 0, NULL);
  g_assert_null (fx_builder_find (scene.builder, programs[0], scene.texts[0]));
  g_assert_null (fx_builder_find (scene.builder, programs[0], "no program")); /* not for ever */
  while (! (code = fx_builder_find (scene.builder, programs[0], scene.texts[0])))
    g_usleep (10000);
  other = make_builder (&scene, 0);
  again = fx_builder_find (other, programs[0], scene.texts[0]);
  g_assert_true (again && g_bytes_equal (code, again));
  fx_builder_free (other);
}

/* A caller gets a program that was compiled in the background together with a new one. */
TEST (test_many_jobs, "/builder/many-jobs")
{
  g_auto (Scene) scene = { 0 };
  g_autoptr (GError) error = NULL;

  scene_init (&scene, 0, count);
  begin (scene.builder, scene.texts[0], 1);
  fill (scene.builder);
  g_assert_true (get (&scene, 0, 2, &error));
  g_assert_no_error (error);
}

static void
hold (const char *source)
{
  g_mutex_lock (&compiling.lock);
  while (compiling.held)
    g_cond_wait (&compiling.changed, &compiling.lock);
  g_mutex_unlock (&compiling.lock);
}

static void
set_held (gboolean held)
{
  g_mutex_lock (&compiling.lock);
  compiling.held = held;
  g_cond_broadcast (&compiling.changed);
  g_mutex_unlock (&compiling.lock);
}

static void
check_late (const Scene *scene)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (get (scene, 0, 1, &error));
  g_assert_error (error, FX_ERROR, FX_ERROR_UNAVAILABLE);
  g_assert_nonnull (strstr (error->message, "NVRTC has taken more than 0.001 seconds"));
}

/* Callers are refused until the program is compiled. */
TEST (test_slow, "/builder/slow")
{
  g_auto (Scene) scene = { 0 };

  set_held (TRUE);
  scene_init (&scene, 1, hold);
  for (int i = 0; i < 3; i++)
    check_late (&scene);
  set_held (FALSE);
  while (! get (&scene, 0, 1, NULL))
    g_usleep (1000);
}

/* Freeing a builder does not wait for the compilation. */
TEST (test_endless, "/builder/endless")
{
  g_auto (Scene) scene = { 0 };

  set_held (TRUE);
  scene_init (&scene, 1, hold);
  check_late (&scene);
  fx_builder_free (scene.builder);
  set_held (FALSE); /* the abandoned thread then ends by itself */
  scene.builder = make_builder (&scene, NO_HURRY);
  g_assert_true (get (&scene, 0, 1, NULL));
}

static const char *held_text;

static void
hold_first (const char *source)
{
  if (strstr (source, held_text))
    hold (source);
}

/* A background compilation does not delay callers that need other programs. */
TEST (test_slow_background, "/builder/slow-background")
{
  g_auto (Scene) scene = { 0 };

  set_held (TRUE);
  scene_init (&scene, NO_HURRY, hold_first);
  held_text = scene.texts[0];
  g_assert_null (fx_builder_find (scene.builder, programs[0], scene.texts[0]));
  g_assert_true (get (&scene, 1, 1, NULL));
  g_assert_null (fx_builder_find (scene.builder, programs[0], scene.texts[0]));
  set_held (FALSE);
}

/* Waits until two compilations are under way. */
static void
meet (const char *source)
{
  g_mutex_lock (&compiling.lock);
  compiling.begun++;
  g_cond_broadcast (&compiling.changed);
  while (compiling.begun < 2)
    g_cond_wait (&compiling.changed, &compiling.lock);
  g_mutex_unlock (&compiling.lock);
}

/* The programs of one call are compiled in parallel. */
TEST (test_side_by_side, "/builder/side-by-side")
{
  g_auto (Scene) scene = { 0 };

  scene_init (&scene, NO_HURRY, meet);
  g_assert_true (get (&scene, 0, 2, NULL));
}
