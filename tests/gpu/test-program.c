/* Programs: the requests to NVRTC, and that it compiles every kernel. Needs NVRTC, not a GPU. */
#define _GNU_SOURCE /* memmem */

#include "blur-gpu.h"
#include "blur-plan.h"
#include "builder.h"
#include "error.h"
#include "folder.h"
#include "test.h"
#include "gpu-view.h"
#include "trcs.h"

static FxCompiler *compiler;

static const FxProgram *const programs[] = {
  &blur_program_fir,         &blur_program_fir_specialised,  &blur_program_rows,
  &blur_program_columns,     &blur_program_decimate_source,  &blur_program_decimate_grid,
  &blur_program_filter_grid, &blur_program_interpolate_grid, &blur_program_interpolate_result,
  &fx_program_reduce,
};

/* For a device with the shared memory of an H100. */
static char *
get_text (const FxProgram *program, const FxPlan *plan)
{
  const FxProgramCase program_case = {
    .codec = plan->codec,
    .plan = plan,
    .shared_block = 232448,
    .shared_processor = 233472,
  };

  return fx_program_get_text (program, &program_case);
}

static FxPlan *
make_plan (FxSample sample, int channels, FxCurve curve, FxAbyss abyss, double sigma_x,
           double sigma_y, int kernel_size)
{
  const FxFormat format = { sample, channels, curve == FX_CURVE_TO_LINEAR };
  const BlurParams params = {
    .sigma_x = sigma_x,
    .sigma_y = sigma_y,
    .kernel_size = kernel_size,
    .abyss = abyss,
    .light = curve == FX_CURVE_TO_PERCEPTUAL ? FX_LIGHT_PERCEPTUAL : FX_LIGHT_LINEAR,
  };
  FxPlan *plan = blur_plan_new (&params, &format, NULL);

  g_assert_cmpint (plan->codec.curve, ==, curve);
  return plan;
}

static gboolean
has_name (GBytes *code, const char *name)
{
  gsize size;
  gconstpointer data = g_bytes_get_data (code, &size);

  return memmem (data, size, name, strlen (name)) != NULL;
}

/* A driver finds the kernel and the variable by their names. */
static void
check_code (GBytes *code, const char *text, gboolean ptx)
{
  gsize size;
  const char *data = g_bytes_get_data (code, &size);

  g_assert_cmpuint (size, >, 64);
  if (! ptx)
    g_assert_cmpint (memcmp (data, "\177ELF", 4), ==, 0);
  g_assert_true (has_name (code, FX_PROGRAM_KERNEL));
  g_assert_true (has_name (code, FX_PROGRAM_ENTRIES) == (strstr (text, FX_PROGRAM_TABLE) != NULL));
}

static void
compile (const FxPlan *plan, const FxProgram *program, int arch, gboolean ptx)
{
  g_autofree char *text = get_text (program, plan);
  const FxTarget target = { .arch = arch, .ptx = ptx };
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) code = fx_program_compile (program, compiler, text, &target, &error);

  g_assert_no_error (error);
  check_code (code, text, ptx);
}

/* Every program that plan could use, except for those that are in done already for arch. */
static void
compile_all (const FxPlan *plan, int arch, GHashTable *done)
{
  for (gsize i = 0; i < G_N_ELEMENTS (programs); i++)
    {
      g_autofree char *text = get_text (programs[i], plan);

      if (g_hash_table_add (done, g_strdup_printf ("%d\n%s", arch, text)))
        compile (plan, programs[i], arch, FALSE);
    }
}

static gboolean
has_arch (int arch)
{
  const int *archs;
  int n, i;

  archs = fx_compiler_get_archs (compiler, &n);
  for (i = 0; i < n; i++)
    if (archs[i] == arch)
      return TRUE;
  return FALSE;
}

/* Every program of every architecture. The format, the curve and the abyss of each are drawn, so
 * that every two values meet somewhere. */
TEST (test_pairs, "/program/pairs")
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  int n;
  const int *archs = fx_compiler_get_archs (compiler, &n);

  for (gsize i = 0; i < n * G_N_ELEMENTS (programs); i++)
    {
      const FxProgram *program = programs[i % G_N_ELEMENTS (programs)];
      const int arch = archs[i / G_N_ELEMENTS (programs)];
      const FxSample sample = g_rand_int_range (rand, 0, FX_SAMPLE_DOUBLE + 1);
      const int channels = g_rand_int_range (rand, 1, 5);
      const FxCurve curve = g_rand_int_range (rand, 0, FX_CURVE_TO_PERCEPTUAL + 1);
      const FxAbyss abyss = g_rand_int_range (rand, 0, FX_ABYSS_WHITE + 1);
      g_autoptr (FxPlan) plan = make_plan (sample, channels, curve, abyss, 1.5, 3.0, 0);

      g_test_message ("architecture %d, %s, sample %d, %d channels, curve %d, abyss %d", arch,
                      program->name, sample, channels, curve, abyss);
      compile (plan, program, arch, FALSE);
    }
}

/* From one tap to the most that one kernel takes. */
TEST (test_sizes, "/program/basics/sizes")
{
  const struct {
    double sigma_x, sigma_y;
    int kernel_size;
  } sizes[] = { { 0, 1, 0 }, { 1, 0, 0 }, { 1, 2, 3 }, { 1, 2, 61 }, { 9, 8, 97 } };
  int arch = has_arch (90) ? 90 : 75;

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (FxPlan)
        plan = make_plan (FX_SAMPLE_FLOAT, 4, FX_CURVE_NONE, FX_ABYSS_NONE, sizes[i].sigma_x,
                          sizes[i].sigma_y, sizes[i].kernel_size);
      gint64 start = g_get_monotonic_time ();

      compile (plan, &blur_program_fir_specialised, arch, FALSE);
      g_test_message ("radius %d, %d: %.1f ms", blur_plan_get (plan)->x->radius,
                      blur_plan_get (plan)->y->radius, (g_get_monotonic_time () - start) / 1000.0);
      compile (plan, &blur_program_fir_specialised, arch, TRUE);
    }
}

/* Programs have a curve's numbers as constants, except for sRGB's and tables, whose programs are
 * the same for all; programs without a curve are the
 * same for all formats. */
TEST (test_curves, "/program/basics/curves")
{
  g_autoptr (GHashTable) done = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  int arch = has_arch (90) ? 90 : 75;

  for (TrcName t = 0; t < TRCS; t++)
    for (int gamma = 0; gamma < 2; gamma++)
      {
        const FxFormat format = { t % 2 ? FX_SAMPLE_U8 : FX_SAMPLE_FLOAT, 3 + t % 2, gamma,
                                  trcs[t] };
        const BlurParams params = { .sigma_x = 1.5, .sigma_y = 3.0 };
        g_autoptr (FxPlan) plan = blur_plan_new (&params, &format, NULL);
        g_autofree char *fir = get_text (&blur_program_fir, plan);
        g_autofree char *reduce = get_text (&fx_program_reduce, plan);

        const gboolean table = format.trc.table != NULL;

        g_assert_true ((strstr (fir, "TRC_G") != NULL) == (t != TRC_SRGB && gamma && ! table));
        g_assert_true ((strstr (fir, "TRC_TABLE") != NULL) == (table && gamma));
        g_assert_true ((strstr (reduce, "TRC_G") != NULL) == (t != TRC_SRGB && ! table));
        g_assert_true ((strstr (reduce, "TRC_TABLE") != NULL) == table);
        if (t != TRC_SRGB)
          compile_all (plan, arch, done);
      }
  g_test_message ("%u programs", g_hash_table_size (done));
}

TEST (test_target, "/program/basics/target")
{
  const int archs[] = { 75, 80, 86, 90, 100, 120 };
  const struct {
    int arch;
    gboolean want_ptx;
    FxTarget target;
  } cases[] = {
    { 75, FALSE, { 75, FALSE } },   { 90, FALSE, { 90, FALSE } },  { 89, FALSE, { 86, FALSE } },
    { 121, FALSE, { 120, FALSE } }, { 110, FALSE, { 100, TRUE } }, { 130, FALSE, { 120, TRUE } },
    { 90, TRUE, { 90, TRUE } },
  };
  g_autoptr (GError) error = NULL;
  FxTarget target;

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_assert_true (fx_target_choose (archs, G_N_ELEMENTS (archs), "13.0", cases[i].arch,
                                       cases[i].want_ptx, &target, &error));
      g_assert_no_error (error);
      g_assert_cmpint (target.arch, ==, cases[i].target.arch);
      g_assert_cmpint (target.ptx, ==, cases[i].target.ptx);
    }
  g_assert_false (
    fx_target_choose (archs, G_N_ELEMENTS (archs), "13.0", 61, FALSE, &target, &error));
  g_assert_error (error, FX_ERROR, FX_ERROR_UNAVAILABLE);
  g_assert_nonnull (strstr (error->message, "6.1"));
  g_assert_nonnull (strstr (error->message, "13.0"));
  g_assert_nonnull (strstr (error->message, "7.5"));
}

TEST (test_log, "/program/basics/log")
{
  const FxTarget target = { .arch = has_arch (90) ? 90 : 75 };
  g_autoptr (GError) error = NULL;

  g_assert_null (fx_program_compile (NULL, compiler, "this is no program", &target, &error));
  g_assert_error (error, FX_ERROR, FX_ERROR_DEVICE);
  g_assert_nonnull (strstr (error->message, "program.cu(1)")); /* the compiler's own words */
}

/* An update of the compiler with the same version, another architecture, PTX, other files: each has
 * separate entries. */
TEST (test_key, "/program/basics/key")
{
  const FxTarget target = { .arch = 90 }, ptx = { .arch = 90, .ptx = TRUE }, other = { .arch = 75 };
  const char *identity = fx_compiler_get_identity (compiler);
  g_autofree char *key = fx_program_get_key (NULL, identity, "a", &target);
  g_autofree char *again = fx_program_get_key (NULL, identity, "a", &target);
  char *others[] = {
    fx_program_get_key (NULL, "13.0 1 2", "a", &target),
    fx_program_get_key (NULL, "13.0 1 3", "a", &target),
    fx_program_get_key (NULL, identity, "b", &target),
    fx_program_get_key (NULL, identity, "a", &ptx),
    fx_program_get_key (NULL, identity, "a", &other),
    fx_program_get_key (&blur_program_fir, identity, "a", &target),
  };
  gsize i, j;

  g_assert_true (g_str_has_prefix (identity, fx_compiler_get_version (compiler)));
  g_assert_cmpstr (identity, !=, fx_compiler_get_version (compiler)); /* its file is known */
  g_assert_cmpstr (key, ==, again);
  for (i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_assert_cmpstr (key, !=, others[i]);
      for (j = 0; j < i; j++)
        g_assert_cmpstr (others[i], !=, others[j]);
    }
  for (i = 0; i < G_N_ELEMENTS (others); i++)
    g_free (others[i]);
}

/* Equal sources share an entry, any difference makes another, damage is compiled over. */
TEST (test_cached, "/program/basics/cached")
{
  g_autofree char *directory = g_dir_make_tmp ("cuda-blur-XXXXXX", NULL);
  g_autoptr (FxCache) cache = fx_cache_new (directory, FX_CACHE_LIMIT);
  g_autoptr (FxPlan) plan = make_plan (FX_SAMPLE_U8, 4, FX_CURVE_NONE, FX_ABYSS_CLAMP, 1, 1, 0);
  g_autoptr (FxPlan) other = make_plan (FX_SAMPLE_U8, 4, FX_CURVE_NONE, FX_ABYSS_CLAMP, 1, 1.25, 0);
  const FxProgram *program = &blur_program_fir_specialised;
  g_autofree char *text = get_text (program, plan);
  g_autofree char *other_text = get_text (program, other);
  const FxTarget target = { .arch = has_arch (90) ? 90 : 75 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) first = fx_program_get (program, compiler, cache, text, &target, &error);
  g_autoptr (GBytes) second = fx_program_get (program, compiler, cache, text, &target, &error);
  g_autoptr (GBytes) third = fx_program_get (program, compiler, cache, other_text, &target, &error);
  GDir *dir = g_dir_open (directory, 0, &error);
  const char *entry;
  int entries = 0;

  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (first, second));
  g_assert_false (g_bytes_equal (first, third));
  while ((entry = g_dir_read_name (dir)))
    {
      g_autofree char *path = g_build_filename (directory, entry, NULL);

      entries++;
      g_assert_true (g_file_set_contents (path, "damaged", -1, NULL));
    }
  g_dir_close (dir);
  g_assert_cmpint (entries, ==, 2);
  g_bytes_unref (second);
  second = fx_program_get (program, compiler, cache, text, &target, &error);
  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (first, second));
}

/* A missing program is compiled in the background; then others find it, too. */
TEST (test_background, "/program/basics/background")
{
  g_autoptr (FxPlan) plan = make_plan (FX_SAMPLE_U8, 1, FX_CURVE_NONE, FX_ABYSS_CLAMP, 2.5, 2.5, 0);
  const FxProgram *program = &blur_program_fir_specialised;
  g_autofree char *text = get_text (program, plan);
  g_autofree char *folder = g_dir_make_tmp ("cuda-blur-XXXXXX", NULL); /* empty */
  const FxConfig config = { .cache_dir = folder };
  FxBuilder *builder, *other;
  g_autoptr (GBytes) code = NULL;
  g_autoptr (GBytes) again = NULL;

  builder = fx_builder_new (has_arch (90) ? 90 : 75, 0, &config);
  other = fx_builder_new (has_arch (90) ? 90 : 75, 0, &config);
  code = fx_builder_find (builder, program, text);
  g_assert_null (code);
  g_assert_null (
    fx_builder_find (builder, program, "no program")); /* fails, and is not tried for ever */
  while (! (code = fx_builder_find (builder, program, text)))
    g_usleep (10000);
  check_code (code, text, FALSE);
  again = fx_builder_find (other, program, text);
  g_assert_nonnull (again);
  g_assert_true (g_bytes_equal (code, again));
  fx_builder_free (builder);
  fx_builder_free (other);
  folder_remove (folder);
  g_assert_false (g_file_test (folder, G_FILE_TEST_EXISTS));
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  int status;

  seed_test_init (&argc, &argv);
  compiler = fx_compiler_open (0, &error);
  if (! compiler)
    {
      g_print ("1..0 # SKIP %s\n", error->message);
      return 77;
    }
  status = g_test_run ();
  fx_compiler_close (compiler);
  return status;
}
