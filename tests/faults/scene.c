#include "scene.h"

#include "convolve.h"
#include "folder.h"
#include "judge.h"
#include "lens.h"
#include "resident-source.h"
#include "noise.h"
#include "run.h"

#include <math.h>
#include <string.h>

#define WIDTH       40
#define HEIGHT      100 /* two chunks */
#define VIEW_WIDTH  20
#define VIEW_HEIGHT 40
#define VIEW_BYTES  (VIEW_WIDTH * VIEW_HEIGHT * 4)
#define UNTOUCHED   0xa5
#define DRAFTS_MAX  10000
#define FEW         2 /* jobs: the FIR, and multi-resolution with several programs */
#define SAME        2 /* the most levels by which the views of two devices may differ */

static const double edges[9] = { 0, 1, 0, 1, -3, 1, 0, 1, 0 };

typedef struct {
  double sigma; /* 0: the convolution by the taps; below 0: the lens blur, by FFT */
  gboolean resident;
  gboolean table; /* the pixels have a tone curve that is a table */
} Job;

/* The FIR, multi-resolution with a table, the convolution, the lens blur, a run whose source stays
 * resident, and one that uses this source. */
static const Job jobs[] = { { 2.0 },  { 12.0, .table = TRUE }, { 0.0 },
                            { -1.0 }, { 3.0, TRUE },           { 2.0, TRUE } };

static FxPlan *
make_plan (double sigma, const FxFormat *format)
{
  const BlurParams blur = { .sigma_x = sigma, .sigma_y = sigma };
  const ConvolveParams convolve = { .rows = 3, .columns = 3, .values = edges };
  const LensParams lens = { .radius = 10.0, .blades = 5, .highlights = 2.0, .threshold = 0.8 };
  FxPlan *plan = sigma > 0.0   ? blur_plan_new (&blur, format, NULL)
                 : sigma < 0.0 ? lens_plan_new (&lens, format, NULL)
                               : convolve_plan_new (&convolve, format, NULL);

  return plan ? plan : fx_plan_new_missing (format); /* as the plug-in does */
}

static gboolean
run_job (FxEngine *engine, const Job *job, FxDevice device, Noise *noise,
         FxResidentSource *resident, FxReport *report, GError **error)
{
  g_autoptr (FxPlan) plan = make_plan (job->sigma, &noise->memory.format);
  FxImage image = memory_get_image (&noise->memory);

  memset (noise->result, UNTOUCHED, noise->size);
  image.resident = job->resident ? resident : NULL;
  return fx_engine_run (engine, plan, device, &image, report, error);
}

static gboolean
render (FxEngine *engine, FxPreview *preview, FxDevice device, guint8 *rgba, FxViewReport *report,
        GError **error)
{
  const FxView view = { 0.5, { 0, 0, VIEW_WIDTH, VIEW_HEIGHT } };
  g_autoptr (FxPlan) plan = make_plan (2.0, fx_preview_get_format (preview));

  return fx_preview_render (preview, plan, device, &view, rgba, NULL, NULL, report, error);
}

/* The expected results, from the CPU, while nothing fails. */

static struct {
  Noise *jobs[G_N_ELEMENTS (jobs)];
  guint8 view[VIEW_BYTES];
} expected;

static const FxTrcTable *
make_table (void)
{
  float entries[FX_TRC_ENTRIES];

  for (int i = 0; i < FX_TRC_ENTRIES; i++)
    entries[i] = powf (i / (FX_TRC_ENTRIES - 1.0f), 2.0f);
  return fx_trc_table_get (entries, NULL);
}

static void
expect (void)
{
  g_autoptr (FxEngine) engine = fx_engine_new ();
  g_autoptr (FxPreview) preview = NULL;
  FxViewReport report;

  for (gsize j = 0; j < G_N_ELEMENTS (jobs); j++)
    {
      const Job job = { jobs[j].sigma };

      expected.jobs[j] = j > 0 ? noise_copy (expected.jobs[0]) : noise_new (WIDTH, HEIGHT);
      if (jobs[j].table)
        expected.jobs[j]->memory.format.trc.table = make_table ();
      g_assert_true (run_job (engine, &job, FX_DEVICE_CPU, expected.jobs[j], NULL, NULL, NULL));
    }
  preview = fx_preview_new (engine, &expected.jobs[0]->memory.format, FALSE, WIDTH, HEIGHT,
                            expected.jobs[0]->source);
  do
    g_assert_true (render (engine, preview, FX_DEVICE_CPU, expected.view, &report, NULL));
  while (report.draft);
}

/* One scene. */

static void
open_engine (Scene *scene)
{
  scene->engine = fx_engine_new ();
  fx_engine_set_config (scene->engine, &scene->config);
}

void
scene_init (Scene *scene)
{
  judge_allow_failures ();
  if (! expected.jobs[0])
    expect ();
  scene->folder = g_dir_make_tmp ("cuda-blur-faults-XXXXXX", NULL);
  g_assert_nonnull (scene->folder);
  scene->config = (FxConfig) {
    .memory_limit = G_MAXSIZE,
    .threads = 2,
    .cache_dir = scene->folder,
    .timeout = 600000, /* a compiler may take long on a busy machine */
  };
  open_engine (scene);
}

void
scene_reopen (Scene *scene)
{
  fx_engine_free (scene->engine);
  open_engine (scene);
}

void
scene_clear (Scene *scene)
{
  fx_engine_free (scene->engine);
  folder_remove (scene->folder);
  g_free (scene->folder);
}

/* Checks of the results. */

static void
note_reason (Outcome *outcome, const char *reason)
{
  g_assert_cmpstr (reason, !=, "");
  g_assert_true (g_utf8_validate (reason, -1, NULL));
  g_strlcpy (outcome->last, reason, sizeof outcome->last);
}

static void
note_report (Outcome *outcome, const FxReport *report, FxDevice device)
{
  if (report->device == FX_DEVICE_GPU)
    {
      outcome->gpu++;
      g_assert_cmpstr (report->fallback, ==, "");
      return;
    }
  g_assert_cmpint (device, !=, FX_DEVICE_GPU);
  outcome->cpu++;
  note_reason (outcome, report->fallback);
}

/* Nothing cancels a run here. */
static void
note_error (Outcome *outcome, const GError *error)
{
  g_assert_nonnull (error);
  g_assert_false (g_error_matches (error, FX_ERROR, FX_ERROR_CANCELLED));
  outcome->errors++;
  note_reason (outcome, error->message);
}

static void
check_untouched (const Noise *noise)
{
  for (gsize i = 0; i < noise->size; i++)
    g_assert_cmpint (noise->result[i], ==, UNTOUCHED);
}

static void
use_job (Scene *scene, gsize j, FxDevice device, FxResidentSource *resident, Outcome *outcome)
{
  g_autoptr (Noise) got = noise_copy (expected.jobs[j]);
  g_autoptr (GError) error = NULL;
  FxReport report = { 0 };

  if (run_job (scene->engine, &jobs[j], device, got, resident, &report, &error))
    {
      g_assert_no_error (error);
      note_report (outcome, &report, device);
      noise_check_same (expected.jobs[j], got);
      return;
    }
  note_error (outcome, error);
  if (device == FX_DEVICE_AUTO) /* on the GPU alone, a part may have been written */
    check_untouched (got);
}

/* While the GPU is warmed up, views are drafts. */
static void
use_view (Scene *scene, FxPreview *preview, FxDevice device, Outcome *outcome)
{
  g_autofree guint8 *got = g_malloc (VIEW_BYTES);
  g_autoptr (GError) error = NULL;
  FxViewReport report = { 0 };
  gboolean done;
  int drafts = 0;

  while ((done = render (scene->engine, preview, device, got, &report, &error)) && report.draft &&
         drafts++ < DRAFTS_MAX)
    g_usleep (1000);
  if (! done)
    {
      note_error (outcome, error);
      return;
    }
  g_assert_false (report.draft);
  note_report (outcome, &report.report, device);
  for (gsize i = 0; i < VIEW_BYTES; i++)
    if (expected.view[i | 3] >= 8)
      g_assert_cmpint (ABS (got[i] - expected.view[i]), <=, SAME);
}

Outcome
scene_use_once (Scene *scene, SceneUse use, FxDevice device)
{
  Outcome outcome = { 0 };

  use_job (scene, use, device, NULL, &outcome);
  return outcome;
}

Outcome
scene_use (Scene *scene, FxDevice device)
{
  g_autoptr (FxResidentSource) resident = fx_resident_source_new (HEIGHT);
  g_autoptr (FxPreview) preview = fx_preview_new (scene->engine, &expected.jobs[0]->memory.format,
                                                  FALSE, WIDTH, HEIGHT, expected.jobs[0]->source);
  g_autoptr (GError) error = NULL;
  const gsize n = scene->few ? FEW : G_N_ELEMENTS (jobs);
  Outcome outcome = { 0 };

  for (gsize j = 0; j < n; j++)
    use_job (scene, j, device, resident, &outcome);
  if (scene->few)
    return outcome;
  if (! preview)
    {
      fx_set_no_memory (&error);
      note_error (&outcome, error);
      return outcome;
    }
  use_view (scene, preview, device, &outcome);
  fx_preview_change (preview, 0, HEIGHT / 2);
  use_view (scene, preview, device, &outcome);
  return outcome;
}
