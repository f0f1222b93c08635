/* Callbacks that fail and cancel, and what the caller need not ask for. */
#include "job.h"
#include "tested.h"

static const FxFormat rgba = { FX_SAMPLE_U8, 4, TRUE };

/* Another program for the same blur may round otherwise. */
static void
check_same (const Job *job, const guint8 *expected)
{
  for (gsize i = 0; i < job_get_size (job); i++)
    g_assert_cmpint (ABS (job->result[i] - expected[i]), <=, 1);
}

/* Runs a job that is to fail. The report must stay as it was. */
static void
check_failure (Job *job, GQuark domain, int code, const char *message)
{
  g_autoptr (GError) error = NULL;
  FxReport report, before;

  memset (&report, 0xaa, sizeof report);
  before = report;
  g_assert_false (job_run (job, tested_engine (), &report, &error));
  g_assert_error (error, domain, code);
  if (message)
    g_assert_cmpstr (error->message, ==, message);
  g_assert_cmpmem (&report, sizeof report, &before, sizeof before);
  g_assert_cmpstr (job->complaint, ==, NULL);
}

/* Fails each of the calls in turn, the last one too; then the engine must work as before. */
static void
test_callbacks (gconstpointer data)
{
  const double sigma = *(const double *) data;
  g_auto (Job) job = { 0 };
  g_autofree guint8 *expected = NULL;
  int reads, writes, steps;

  g_setenv ("CUDA_BLUR_MEMORY_LIMIT", "300K", TRUE);
  job_init (&job, rgba, 150, 300, sigma, sigma);
  job_check (&job);
  expected = g_memdup2 (job.result, job_get_size (&job));
  reads = job.reads;
  writes = job.writes;
  steps = job.steps;
  g_assert_cmpint (MIN (reads, writes), >, 2);
  for (job.fail_read = 1; job.fail_read <= reads; job.fail_read++)
    {
      g_autofree char *message = g_strdup_printf ("read %d fails", job.fail_read);

      check_failure (&job, job_error_quark (), 42, message);
      g_assert_cmpint (job.reads, ==, job.fail_read); /* no more calls, and no second try */
    }
  job.fail_read = 0;
  for (job.fail_write = 1; job.fail_write <= writes; job.fail_write++)
    {
      g_autofree char *message = g_strdup_printf ("write %d fails", job.fail_write);

      check_failure (&job, job_error_quark (), 43, message);
      g_assert_cmpint (job.writes, ==, job.fail_write);
    }
  job.fail_write = 0;
  for (job.cancel = 1; job.cancel <= steps; job.cancel++)
    {
      check_failure (&job, FX_ERROR, FX_ERROR_CANCELLED, NULL);
      g_assert_cmpint (job.steps, ==, job.cancel);
    }
  job.cancel = 0;
  job_check (&job);
  check_same (&job, expected);
  g_unsetenv ("CUDA_BLUR_MEMORY_LIMIT");
}

/* No progress, no report, no error: all legal. */
TEST (test_nothing_asked, "/engine/nothing-asked")
{
  g_auto (Job) job = { 0 };
  g_autofree guint8 *expected = NULL;

  job_init (&job, rgba, 20, 20, 2.0, 2.0);
  job_check (&job);
  expected = g_memdup2 (job.result, job_get_size (&job));
  job.no_progress = TRUE;
  g_assert_true (job_run (&job, tested_engine (), NULL, NULL));
  g_assert_cmpstr (job.complaint, ==, NULL);
  check_same (&job, expected);
  job.fail_read = 1;
  g_assert_false (job_run (&job, tested_engine (), NULL, NULL));
  fx_engine_free (NULL);
}

TESTS (add_callbacks)
{
  static const double sigmas[] = { 2.0, 0.0 };

  g_test_add_data_func ("/engine/callbacks/blur", &sigmas[0], test_callbacks);
  g_test_add_data_func ("/engine/callbacks/copy", &sigmas[1], test_callbacks);
}
