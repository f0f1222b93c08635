/* A machine with a driver and no NVRTC: programs that were compiled with the project run on the
 * GPU, and the CPU does the rest. The linker puts the function below in the place of the
 * engine's. */
#include "builder.h"
#include "error.h"
#include "gpu-run.h"
#include "noise.h"
#include "run.h"
#include "test.h"

FxCompiler *__wrap_fx_compiler_open (int major, GError **error);
FxCompiler *__real_fx_compiler_open (int major, GError **error);

FxCompiler *
__wrap_fx_compiler_open (int major, GError **error)
{
  g_set_error_literal (error, FX_ERROR, FX_ERROR_UNAVAILABLE, "no NVRTC");
  return NULL;
}

static FxPlan *
make_plan (double sigma, FxAbyss abyss)
{
  const FxFormat format = { FX_SAMPLE_U8, 4, TRUE };
  const BlurParams params = { .sigma_x = sigma, .sigma_y = sigma, .abyss = abyss };

  return blur_plan_new (&params, &format, NULL);
}

/* Returns the machine code of plan's programs for a device of compute capability arch. */
static gboolean
get_codes (FxPlan *plan, int arch, GBytes **codes, int *n, GError **error)
{
  const FxProgramCase program_case = {
    .codec = plan->codec,
    .plan = plan,
    .shared_block = 101376,
    .shared_processor = 102400,
  };
  const FxConfig config = { .cache_dir = "/nonexistent" };
  const FxProgram *programs[FX_PROGRAMS_MAX];
  char *texts[FX_PROGRAMS_MAX];
  FxBuilder *builder = fx_builder_new (arch, 0, &config);
  gboolean got;

  *n = plan->filter->get_gpu_path (plan)->get_programs (plan, FX_VERSIONS_BOTH, programs);
  for (int i = 0; i < *n; i++)
    texts[i] = fx_program_get_text (programs[i], &program_case);
  got = fx_builder_get (builder, *n, programs, texts, codes, error);
  for (int i = 0; i < *n; i++)
    g_free (texts[i]);
  fx_builder_free (builder);
  fx_plan_free (plan);
  return got;
}

static void
check_lacks (FxPlan *plan, int arch)
{
  g_autoptr (GError) error = NULL;
  GBytes *codes[FX_PROGRAMS_MAX];
  int n;

  g_assert_false (get_codes (plan, arch, codes, &n, &error));
  g_assert_cmpstr (error->message, ==, "no NVRTC");
  for (int i = 0; i < n; i++)
    g_assert_null (codes[i]);
}

/* PTX for the oldest GPU that the toolkit has, and for no older one. */
TEST (test_there, "/ahead/there")
{
  static const double sigmas[] = { 1.0, 3.0, 10.0, 300.0 };

  for (gsize s = 0; s < G_N_ELEMENTS (sigmas); s++)
    {
      g_autoptr (GError) error = NULL;
      GBytes *codes[FX_PROGRAMS_MAX];
      int n;

      g_assert_true (get_codes (make_plan (sigmas[s], FX_ABYSS_CLAMP), 89, codes, &n, &error));
      g_assert_no_error (error);
      for (int i = 0; i < n; i++)
        {
          g_assert_nonnull (strstr (g_bytes_get_data (codes[i], NULL), ".target sm_"));
          g_bytes_unref (codes[i]);
        }
      check_lacks (make_plan (sigmas[s], FX_ABYSS_CLAMP), 20);
    }
  check_lacks (make_plan (3.0, FX_ABYSS_WHITE), 89);
}

static FxEngine *engine;

static gboolean
blur (Noise *noise, const BlurParams *params, FxDevice device, FxReport *report, GError **error)
{
  const FxImage image = memory_get_image (&noise->memory);

  memset (noise->result, 0, noise->size);
  return run_blur (engine, params, device, &image, report, error);
}

TEST (test_blurs, "/ahead/blurs")
{
  static const BlurParams blurs[] = {
    { .sigma_x = 2.0, .sigma_y = 2.0 },
    { .sigma_x = 12.0, .sigma_y = 12.0 },
    { .sigma_x = 200.0, .sigma_y = 200.0 },
  };
  static const BlurParams rare = { .sigma_x = 2.0, .sigma_y = 2.0, .abyss = FX_ABYSS_WHITE };
  g_autoptr (Noise) expected = noise_new (1500, 1000);
  g_autoptr (Noise) got = noise_copy (expected);
  g_autoptr (GError) error = NULL;
  FxReport report;

  if (! blur (got, &blurs[0], FX_DEVICE_GPU, &report, &error) &&
      g_error_matches (error, FX_ERROR, FX_ERROR_UNAVAILABLE))
    {
      g_test_skip (error->message);
      return;
    }
  g_assert_no_error (error);
  for (gsize b = 0; b < G_N_ELEMENTS (blurs); b++)
    {
      g_assert_true (blur (expected, &blurs[b], FX_DEVICE_CPU, &report, &error));
      g_assert_true (blur (got, &blurs[b], FX_DEVICE_GPU, &report, &error));
      g_test_message ("sigma %g: %s", blurs[b].sigma_x, report.device_name);
      noise_check_same (expected, got);
    }
  g_assert_false (blur (got, &rare, FX_DEVICE_GPU, &report, &error));
  g_assert_cmpstr (error->message, ==, "no NVRTC");
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  FxCompiler *compiler = __real_fx_compiler_open (0, &error);
  int status;

  seed_test_init (&argc, &argv);
  if (! compiler) /* neither was there one when the project was built */
    {
      g_print ("1..0 # SKIP %s\n", error->message);
      return 77;
    }
  fx_compiler_close (compiler);
  engine = fx_engine_new ();
  status = g_test_run ();
  fx_engine_free (engine);
  return status;
}
