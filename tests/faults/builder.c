/* The builder's finished jobs, which it keeps only so many of. */
#include "builder.h"

#include "blur-gpu.h"
#include "blur-plan.h"
#include "fault.h"
#include "folder.h"
#include "stand-in.h"
#include "test.h"

#define JOBS_MAX 64 /* as in builder.c */

static struct {
  GMutex lock;
  GCond changed;
  int begun;
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
  const FxProgram *program = &blur_program_fir_specialised;
  g_autofree char *last = NULL;
  GBytes *code;

  for (int i = 1; i < JOBS_MAX; i++)
    {
      g_free (last);
      last = g_strdup_printf ("no program %d", i);
      begin (builder, last, i + 1);
    }
  g_assert_false (fx_builder_get (builder, 1, &program, &last, &code, NULL)); /* waits for it */
  g_assert_true (fault_end ());
}

/* A missing program is compiled in the background; then others find it, too. */
TEST (test_background, "/faults/machine/background")
{
  g_autofree char *folder = g_dir_make_tmp ("cuda-blur-XXXXXX", NULL);
  const FxConfig config = { .cache_dir = folder };
  const FxProgram *program = &blur_program_fir_specialised;
  FxBuilder *builder = fx_builder_new (90, 13, &config), *other;
  g_autofree char *text = get_text (2.0);
  g_autoptr (GBytes) code = fx_builder_find (builder, program, text);
  g_autoptr (GBytes) again = NULL;

  g_assert_null (code);
  g_assert_null (fx_builder_find (builder, program, "no program")); /* is not tried for ever */
  while (! (code = fx_builder_find (builder, program, text)))
    g_usleep (10000);
  other = fx_builder_new (90, 13, &config);
  again = fx_builder_find (other, program, text);
  g_assert_true (again && g_bytes_equal (code, again));
  fx_builder_free (builder);
  fx_builder_free (other);
  folder_remove (folder);
}

/* A caller gets a program that was compiled in the background together with a new one. */
TEST (test_many_jobs, "/faults/machine/many-jobs")
{
  g_autofree char *folder = g_dir_make_tmp ("cuda-blur-XXXXXX", NULL);
  const FxConfig config = { .cache_dir = folder };
  FxBuilder *builder = fx_builder_new (90, 13, &config);
  const FxProgram *programs[] = { &blur_program_fir_specialised, &blur_program_fir_specialised };
  g_autofree char *known = get_text (2.0);
  g_autofree char *other = get_text (3.0);
  char *texts[] = { known, other };
  GBytes *codes[2];
  g_autoptr (GError) error = NULL;

  stand_in_on_compile (count);
  begin (builder, known, 1);
  fill (builder);
  g_assert_true (fx_builder_get (builder, 2, programs, texts, codes, &error));
  g_assert_no_error (error);
  for (int i = 0; i < 2; i++)
    {
      g_assert_cmpuint (g_bytes_get_size (codes[i]), >, 0);
      g_bytes_unref (codes[i]);
    }
  fx_builder_free (builder);
  stand_in_on_compile (NULL);
  folder_remove (folder);
}
