/* Two engines on two threads. */
#include "job.h"
#include "tested.h"

/* One thread's work; jobs hold the results of an earlier run. */
typedef struct {
  Job *jobs;
  guint n, first;
} Share;

/* Runs all jobs with a new engine, beginning with number first. Returns what went wrong, or
 * NULL. */
static gpointer
run_share (gpointer data)
{
  const Share *share = data;
  g_autoptr (FxEngine) own = fx_engine_new ();

  for (guint i = 0; i < share->n; i++)
    {
      const Job *known = &share->jobs[(share->first + i) % share->n];
      g_autoptr (GError) error = NULL;
      g_auto (Job) job = { 0 };

      job_init_copy (&job, known);
      if (! job_run (&job, own, NULL, &error))
        return g_strdup (error->message);
      if (job.complaint)
        return g_steal_pointer (&job.complaint);
      if (memcmp (job.result, known->result, job_get_size (&job)) != 0)
        return g_strdup ("another result than alone");
    }
  return NULL;
}

TEST (test_threads, "/engine/threads")
{
  /* One of each sample, with and without alpha, curve and colour. */
  static const FxFormat formats[] = {
    { FX_SAMPLE_U8, 4, TRUE },    { FX_SAMPLE_U8, 3, TRUE },     { FX_SAMPLE_U16, 2, TRUE },
    { FX_SAMPLE_U16, 3, FALSE },  { FX_SAMPLE_U32, 1, TRUE },    { FX_SAMPLE_HALF, 4, FALSE },
    { FX_SAMPLE_FLOAT, 4, TRUE }, { FX_SAMPLE_FLOAT, 1, FALSE }, { FX_SAMPLE_DOUBLE, 2, FALSE },
  };
  Job jobs[12];
  Share shares[2];
  GThread *threads[2];

  for (guint i = 0; i < G_N_ELEMENTS (jobs); i++)
    {
      job_init (&jobs[i], formats[i % G_N_ELEMENTS (formats)], 131, 70, 1.0 + i % 3, 2.0);
      jobs[i].params.abyss = (FxAbyss) (i / 2 % 4);
      jobs[i].params.light = (FxLight) (i % 2);
      job_check (&jobs[i]);
    }
  for (guint i = 0; i < 2; i++)
    {
      shares[i] = (Share) { jobs, G_N_ELEMENTS (jobs), i * 5 };
      threads[i] = g_thread_new ("blur", run_share, &shares[i]);
    }
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *message = g_thread_join (threads[i]);

      g_assert_cmpstr (message, ==, NULL);
    }
  for (guint i = 0; i < G_N_ELEMENTS (jobs); i++)
    job_clear (&jobs[i]);
}
