/* NVRTC compiles the programs of random matrices. Needs NVRTC, not a GPU. */
#include "compiler.h"
#include "convolve-gpu.h"
#include "convolve-plan.h"
#include "matrices.h"
#include "test.h"

static FxCompiler *compiler;

static void
compile (const FxProgram *program, const FxPlan *plan, int arch)
{
  const FxProgramCase program_case = { .codec = plan->codec,
                                       .plan = plan,
                                       .shared_block = arch < 80 ? 65536 : 232448,
                                       .shared_processor = arch < 80 ? 65536 : 233472 };
  g_autofree char *text = fx_program_get_text (program, &program_case);
  const FxTarget target = { .arch = arch };
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) code = fx_program_compile (program, compiler, text, &target, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (g_bytes_get_size (code), >, 64);
}

/* The program of its path: generic, with taps compiled in, or for products. */
static void
compile_random (int n)
{
  const int most = n % 4 ? 6 : 32;
  const int rows = 2 * g_test_rand_int_range (0, most) + 1;
  const int columns = 2 * g_test_rand_int_range (0, most) + 1;
  g_autofree double *values = matrix_make (n % MATRICES, rows, columns);
  const FxFormat format = { g_test_rand_int_range (0, 6), g_test_rand_int_range (1, 5),
                            g_test_rand_int_range (0, 2) };
  const ConvolveParams params = { .rows = rows,
                                  .columns = columns,
                                  .values = values,
                                  .channels = g_test_rand_int_range (0, 16),
                                  .alpha = g_test_rand_int_range (0, 3),
                                  .abyss = g_test_rand_int_range (0, 4),
                                  .light = g_test_rand_int_range (0, 2) };
  g_autoptr (FxPlan) plan = convolve_plan_new (&params, &format, NULL);
  const ConvolvePlan *own = convolve_plan_get (plan);
  const int arch = n % 2 ? 90 : 75;

  if (plan->filter->get_gpu_path (plan) == &convolve_gpu_products)
    compile (n % 3 && own->matrix.rank * (rows + columns) <= 128
               ? &convolve_program_products_specialised
               : &convolve_program_products,
             plan, arch);
  else if (n % 5 == 0 || own->alpha_matrix || own->matrix.taps > 225)
    compile (&convolve_program_direct, plan, arch);
  else
    compile (&convolve_program_direct_specialised, plan, arch);
}

TEST (test_random, "/kernels/random")
{
  for (int n = 0; n < 60; n++) /* all pairs of the remainders above */
    compile_random (n);
}

/* Transforms of each length, in all programs of that path. */
TEST (test_fft, "/kernels/fft")
{
  static const FxProgram *const programs[] = {
    &convolve_program_fft[0],         &convolve_program_fft[1],
    &convolve_program_fft[2],         &convolve_program_fft[3],
    &convolve_program_fft_precise[0], &convolve_program_fft_precise[1],
    &convolve_program_fft_precise[2], &convolve_program_fft_precise[3],
    &convolve_program_fft_mend
  };

  static const int lengths[] = { 128,  256,  512,  1024, 1536, 2048, 2560,
                                 2816, 3072, 4096, 4352, 4608, 4864 };

  for (guint l = 0; l < G_N_ELEMENTS (lengths); l++)
    {
      const int length = lengths[l];
      const double values[] = { 1, 2, 3 };
      const FxFormat format = { g_test_rand_int_range (0, 6), g_test_rand_int_range (1, 5),
                                g_test_rand_int_range (0, 2) };
      const ConvolveParams params = { .rows = 1, .columns = 3, .values = values };
      const ConvolveChoice choice = { .columns = length, .rows = MIN (length, 4096) };
      g_autoptr (FxPlan) plan = convolve_plan_new (&params, &format, NULL);

      convolve_plan_choose ((ConvolvePlan *) plan, &choice);
      for (guint i = 0; i < G_N_ELEMENTS (programs); i++)
        compile (programs[i], plan, length % 3 == 1 ? 90 : 75);
    }
}

static FxPlan *
make_owned (double stops, double threshold, const FxFormat *format, int columns)
{
  const double values[] = { 1, 2, 3, 2, 1 };
  const ConvolveOwner owner = { .name = "owner", .stops = stops, .threshold = threshold };
  const ConvolveParams params = { .rows = 1, .columns = columns, .values = values };

  return convolve_plan_new_for (&owner, &params, format, NULL);
}

/* Highlights, in each program that decodes or encodes. One program serves all their numbers. */
TEST (test_highlights, "/kernels/highlights")
{
  static const FxProgram *const programs[] = { &convolve_program_direct, &convolve_program_products,
                                               &convolve_program_fft[0], &convolve_program_fft[2],
                                               &convolve_program_fft_mend };

  for (int n = 0; n < 6; n++)
    {
      const FxFormat format = { n, n % 4 + 1, n % 2 };
      g_autoptr (FxPlan) none = make_owned (0.0, 0.5, &format, 3);
      g_autoptr (FxPlan) some = make_owned (1.0, 0.5, &format, 3);
      g_autoptr (FxPlan) others = make_owned (6.0, 1.0, &format, 5);

      for (guint i = 0; i < G_N_ELEMENTS (programs); i++)
        {
          const FxProgramCase cases[] = { { .codec = none->codec, .plan = none },
                                          { .codec = some->codec, .plan = some },
                                          { .codec = others->codec, .plan = others } };
          g_autofree char *without = fx_program_get_text (programs[i], &cases[0]);
          g_autofree char *with = fx_program_get_text (programs[i], &cases[1]);
          g_autofree char *same = fx_program_get_text (programs[i], &cases[2]);

          g_assert_null (strstr (without, "HIGHLIGHTS"));
          g_assert_nonnull (strstr (with, "HIGHLIGHTS"));
          if (programs[i] != &convolve_program_direct && programs[i] != &convolve_program_products)
            g_assert_cmpstr (with, ==, same);
          compile (programs[i], some, n % 2 ? 90 : 75);
        }
    }
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  int status;

  seed_test_init (&argc, &argv);
  if (! (compiler = fx_compiler_open (0, &error)))
    {
      g_print ("1..0 # SKIP %s\n", error->message);
      return 77;
    }
  status = g_test_run ();
  fx_compiler_close (compiler);
  return status;
}
