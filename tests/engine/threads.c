/* Two engines on two threads, whose runs end early, too. */
#include "memory.h"
#include "run.h"
#include "tested.h"

#define WIDTH  131
#define HEIGHT 70
#define JOBS   12

typedef struct {
  Memory memory; /* its result is that of a run alone */
  BlurParams params;
} Job;

/* A run's own result, and the reports of progress until it is cancelled. */
typedef struct {
  Memory memory;
  int left;
} Run;

static gboolean
go_on (gpointer data, double fraction)
{
  return ((Run *) data)->left-- > 0;
}

static gsize
get_size (const Job *job)
{
  return WIDTH * HEIGHT * fx_format_size (&job->memory.format);
}

static void
job_init (Job *job, FxFormat format, int number)
{
  gpointer source = memory_make_noise (&format, WIDTH * HEIGHT);

  *job = (Job) { .memory = { .pixels = source, .width = WIDTH, .height = HEIGHT, .format = format },
                 .params = { .sigma_x = 1.0 + number % 3,
                             .sigma_y = 2.0,
                             .abyss = (FxAbyss) (number / 2 % 4),
                             .light = (FxLight) (number % 2) } };
  job->memory.result = g_malloc0 (get_size (job));
}

/* Returns whether it was not cancelled. */
static gboolean
job_run (const Job *job, FxEngine *engine, gpointer result, int reports)
{
  Run run = { job->memory, reports };
  FxImage image = memory_get_image (&run.memory);
  g_autoptr (GError) error = NULL;
  gboolean done;

  run.memory.result = result;
  image.progress = go_on;
  done = run_blur (engine, &job->params, tested_device (), &image, NULL, &error);
  if (! done)
    g_assert_error (error, FX_ERROR, FX_ERROR_CANCELLED);
  return done;
}

typedef struct {
  const Job *jobs;
  int first;
} Share;

/* Runs all jobs with a new engine, each one first until it is cancelled. */
static gpointer
run_share (gpointer data)
{
  const Share *share = data;
  g_autoptr (FxEngine) own = fx_engine_new ();

  for (int i = 0; i < JOBS; i++)
    {
      const Job *job = &share->jobs[(share->first + i) % JOBS];
      g_autofree gpointer result = g_malloc (get_size (job));

      g_assert_false (job_run (job, own, result, i % 3));
      g_assert_true (job_run (job, own, result, G_MAXINT));
      g_assert_cmpmem (result, get_size (job), job->memory.result, get_size (job));
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
  Job jobs[JOBS];
  const Share shares[] = { { jobs, 0 }, { jobs, 5 } };
  GThread *threads[2];

  for (int i = 0; i < JOBS; i++)
    {
      job_init (&jobs[i], formats[i % G_N_ELEMENTS (formats)], i);
      g_assert_true (job_run (&jobs[i], tested_engine (), jobs[i].memory.result, G_MAXINT));
    }
  for (int i = 0; i < 2; i++)
    threads[i] = g_thread_new ("blur", run_share, (gpointer) &shares[i]);
  for (int i = 0; i < 2; i++)
    g_thread_join (threads[i]);
  for (int i = 0; i < JOBS; i++)
    {
      g_free ((gpointer) jobs[i].memory.pixels);
      g_free (jobs[i].memory.result);
    }
}
