/* Limits of memory. */
#include "check.h"
#include "tested.h"

/* Runs job under a limit; the bytes must be those of job->result, which stays as it is. FALSE when
 * it lacked memory. */
static gboolean
check_limit (Job *job, const char *limit)
{
  const gsize size = job_get_size (job);
  g_autofree guint8 *expected = g_memdup2 (job->result, size);
  g_autoptr (GError) error = NULL;
  FxReport report;
  gboolean done;

  g_setenv ("CUDA_BLUR_MEMORY_LIMIT", limit, TRUE);
  done = job_run (job, tested_engine (), &report, &error);
  g_unsetenv ("CUDA_BLUR_MEMORY_LIMIT");
  g_test_message ("%s: %d reads, %d writes, %s", limit, job->reads, job->writes,
                  done ? "done" : error->message);
  if (job->complaint)
    case_fail (job->c, "%s", job->complaint);
  else if (done && memcmp (job->result, expected, size) != 0)
    case_fail (job->c, "another result under a limit of %s", limit);
  else if (! done && ! g_error_matches (error, FX_ERROR, FX_ERROR_MEMORY))
    case_fail (job->c, "under a limit of %s: %s", limit, error->message);
  memcpy (job->result, expected, size);
  return done;
}

/* Less memory means more and smaller bands, or a clear refusal if not even one fits. */
TEST (test_memory_limit, "/engine/memory-limit")
{
  static const struct {
    const char *limit;
    gboolean enough;
  } limits[] = {
    { "3M", TRUE },   { "1M", TRUE },    { "400000", TRUE }, { "100k", FALSE },
    { "64K", FALSE }, { "4096", FALSE }, { "1G", TRUE },
  };
  static const guint formats[] = { 0, 3, 5, 6 };

  for (guint f = 0; f < G_N_ELEMENTS (formats); f++)
    for (int wide = 0; wide < 2; wide++)
      {
        Case c = case_make (f, formats[f], wide ? 640 : 131, wide ? 100 : 500, 3.0, 3.0);
        g_auto (Job) job = { 0 };
        g_autoptr (GError) error = NULL;

        job_init (&job, &c);
        g_assert_true (job_run (&job, tested_engine (), NULL, &error));
        check_pixels (&job);
        for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
          if (! check_limit (&job, limits[i].limit) && limits[i].enough)
            case_fail (&c, "no memory under a limit of %s", limits[i].limit);
      }
}

TEST (test_bad_limits, "/engine/bad-limits")
{
  static const char *const limits[] = {
    "x", "-1", "0", "12Q", "1.5M", "K", "99999999999G", "18446744073709551616", "1M "
  };

  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    {
      const Case c = case_make (0, 0, 20, 20, 2.0, 2.0);
      g_auto (Job) job = { 0 };
      g_autoptr (GError) error = NULL;
      gboolean done;

      job_init (&job, &c);
      g_setenv ("CUDA_BLUR_MEMORY_LIMIT", limits[i], TRUE);
      done = job_run (&job, tested_engine (), NULL, &error);
      g_unsetenv ("CUDA_BLUR_MEMORY_LIMIT");
      g_assert_false (done);
      check_refusal (error, "cuda_blur_memory_limit", limits[i][0] == '1' ? "1" : NULL);
      g_assert_cmpint (job.writes, ==, 0);
    }
}
