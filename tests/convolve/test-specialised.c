/* The cost of a matrix that is compiled in: the multiplications and the loads in the text of its
 * program. Needs neither a GPU nor NVRTC. */
#include "convolve-gpu.h"
#include "convolve-plan.h"
#include "matrices.h"
#include "test.h"

static const FxFormat grey = { FX_SAMPLE_FLOAT, 1, FALSE };

/* The cost of a thread: for each of its results, and for all of them. */
typedef struct {
  int run; /* results */
  int multiplications, loads;
} Price;

static int
count (const char *text, const char *word)
{
  int n = 0;

  while ((text = strstr (text, word)))
    {
      text += strlen (word);
      n++;
    }
  return n;
}

static char *
get_text (const FxPlan *plan)
{
  const FxProgramCase program_case = {
    .codec = plan->codec, .plan = plan, .shared_block = 232448, .shared_processor = 233472
  };

  return fx_program_get_text (&convolve_program_direct_specialised, &program_case);
}

static FxPlan *
make_plan (const double *values, int rows, int columns)
{
  const ConvolveParams params = { .rows = rows, .columns = columns, .values = values };

  return convolve_plan_new (&params, &grey, NULL);
}

/* All results must cost the same. */
static Price
get_price (const double *values, int rows, int columns)
{
  g_autoptr (FxPlan) plan = make_plan (values, rows, columns);
  g_autofree char *text = get_text (plan);
  const char *run = strstr (text, "#define RUN "), *taps = strstr (text, "#define TAPS ");
  Price price = { 0 };

  g_assert_true (run && taps);
  price.run = atoi (run + strlen ("#define RUN "));
  g_assert_cmpint (price.run, >, 1);
  price.loads = count (taps, "S (");
  price.multiplications = count (taps, "sum[0] +=");
  for (int i = 1; i < price.run; i++)
    {
      g_autofree char *word = g_strdup_printf ("sum[%d] +=", i);

      g_assert_cmpint (count (taps, word), ==, price.multiplications);
    }
  g_assert_cmpint (count (taps, "* s"), ==, price.run * price.multiplications);
  return price;
}

/* Matrices that can be counted by hand. A column of taps next to each other is loaded once for all
 * results: as many samples as they have rows, and one for each further result. */
TEST (test_known, "/specialised/known")
{
  static const double sobel_x[] = { -1, 0, 1, -2, 0, 2, -1, 0, 1 };
  static const double sobel_y[] = { -1, -2, -1, 0, 0, 0, 1, 2, 1 };
  static const double laplacian[] = { 0, 1, 0, 1, -4, 1, 0, 1, 0 };
  static const double laplacian_8[] = { 1, 1, 1, 1, -8, 1, 1, 1, 1 };
  static const double dense[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };
  static const double box[] = { 1, 1, 1, 1, 1, 1, 1, 1, 1 };
  static const struct {
    const double *values;
    int multiplications;
    int columns, singles; /* of three taps, and of one, that are loaded */
  } known[] = {
    { sobel_x, 3, 2, 0 },     { sobel_y, 4, 3, 0 }, { laplacian, 4, 1, 2 },
    { laplacian_8, 6, 3, 0 }, { dense, 9, 3, 0 },   { box, 3, 3, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    {
      const Price price = get_price (known[i].values, 3, 3);

      g_test_message ("matrix %u: %d multiplications, %d loads", i, price.multiplications,
                      price.loads);
      g_assert_cmpint (price.multiplications, ==, known[i].multiplications);
      g_assert_cmpint (price.loads, ==,
                       known[i].columns * (price.run + 2) + known[i].singles * price.run);
    }
}

/* Values of a column that are not 0, and rows that as many results as a run reach through them. */
static void
count_column (const double *values, int rows, int columns, int column, int run, int *taps,
              int *reached)
{
  *taps = *reached = 0;
  for (int q = 0; q < rows + run - 1; q++)
    {
      gboolean read = FALSE;

      for (int j = MAX (0, q - run + 1); j <= MIN (q, rows - 1); j++)
        read |= values[j * columns + column] != 0.0;
      *reached += read;
    }
  for (int j = 0; j < rows; j++)
    *taps += values[j * columns + column] != 0.0;
}

/* Returns whether two columns are the same, but for their sign. */
static gboolean
are_alike (const double *values, int rows, int columns, int a, int b)
{
  gboolean equal = TRUE, opposite = TRUE;

  for (int j = 0; j < rows; j++)
    {
      const double x = values[j * columns + a], y = values[j * columns + b];

      equal &= x == y;
      opposite &= x == -y;
    }
  return equal || opposite;
}

/* Zeros cost nothing; of columns that are alike, each is loaded, and one is multiplied. */
static void
check_random (MatrixKind kind, int rows, int columns)
{
  g_autofree double *values = matrix_make (kind, rows, columns);
  const Price price = get_price (values, rows, columns);
  int multiplications = 0, loads = 0;

  for (int i = 0; i < columns; i++)
    {
      gboolean first = TRUE;
      int taps, reached;

      for (int other = 0; other < i; other++)
        first &= ! are_alike (values, rows, columns, other, i);
      count_column (values, rows, columns, i, price.run, &taps, &reached);
      multiplications += first ? taps : 0;
      loads += reached;
    }
  g_test_message ("kind %d, %d x %d: %d multiplications, %d loads", kind, rows, columns,
                  price.multiplications, price.loads);
  g_assert_cmpint (price.multiplications, ==, multiplications);
  g_assert_cmpint (price.loads, ==, loads);
}

TEST (test_random, "/specialised/random")
{
  for (int n = 0; n < 200; n++)
    {
      const MatrixKind kind = n % MATRICES;
      const int most = kind == MATRIX_SPARSE || kind == MATRIX_ONE ? 22 : 7;

      check_random (kind, 2 * g_test_rand_int_range (0, most) + 1,
                    2 * g_test_rand_int_range (0, most) + 1);
    }
}

/* A plan's matrix becomes text once. */
TEST (test_once, "/specialised/once")
{
  g_autofree double *values = matrix_make (MATRIX_DENSE, 15, 15);
  g_autoptr (FxPlan) plan = make_plan (values, 15, 15);
  const ConvolvePlan *own = convolve_plan_get (plan);
  g_autofree char *text = get_text (plan);
  gconstpointer specialised = own->specialised.retval;
  g_autofree char *again = get_text (plan);

  g_assert_nonnull (specialised);
  g_assert_true (own->specialised.retval == specialised);
  g_assert_nonnull (strstr (text, specialised));
  g_assert_cmpstr (text, ==, again);
}
