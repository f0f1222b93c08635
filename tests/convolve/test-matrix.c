/* A matrix's box and products, and what may be asked for, by themselves. */
#include "convolve-plan.h"
#include "error.h"
#include "matrices.h"
#include "test.h"

static const FxFormat rgba = { FX_SAMPLE_FLOAT, 4, FALSE };

static double
get_magnitude (const ConvolveMatrix *matrix)
{
  double sum = 0.0;

  for (int i = 0; i < matrix->rows * matrix->columns; i++)
    sum += fabs (matrix->weights[i]);
  return sum;
}

static double
get_product_sum (const ConvolveMatrix *matrix, int row, int column)
{
  double sum = 0.0;

  for (int r = 0; r < matrix->rank; r++)
    sum += (double) matrix->along_y[r * matrix->rows + row] *
           matrix->along_x[r * matrix->columns + column];
  return sum;
}

/* The products' sum is the box, if there are not too many, and the box has all of the matrix. */
static void
check_matrix (const double *values, int rows, int columns, double divisor, int rank)
{
  ConvolveMatrix matrix;
  double rest = 0.0;
  int taps = 0;

  convolve_matrix_init (&matrix, values, rows, columns, divisor);
  for (int n = 0; n < rows * columns; n++)
    {
      const int j = n / columns - rows / 2 - matrix.top,
                i = n % columns - columns / 2 - matrix.left;
      const gboolean inside = j >= 0 && j < matrix.rows && i >= 0 && i < matrix.columns;
      const float weight = (float) (values[n] / divisor);

      taps += weight != 0.0f;
      g_assert_true (inside || weight == 0.0f);
      if (! inside)
        continue;
      g_assert_cmpfloat (matrix.weights[j * matrix.columns + i], ==, weight);
      if (matrix.rank <= CONVOLVE_PRODUCTS_MAX)
        rest += fabs (get_product_sum (&matrix, j, i) - weight);
    }
  g_assert_cmpint (matrix.taps, ==, taps);
  g_assert_cmpfloat (rest, <=, 4e-7 * get_magnitude (&matrix));
  if (rank >= 0)
    g_assert_cmpint (matrix.rank, ==, MIN (rank, MIN (matrix.rows, matrix.columns)));
  convolve_matrix_clear (&matrix);
}

TEST (test_products, "/matrix/products")
{
  for (int n = 0; n < 300; n++)
    {
      const MatrixKind kind = n % MATRICES;
      const int rows = 2 * g_test_rand_int_range (0, 32) + 1;
      const int columns = 2 * g_test_rand_int_range (0, 32) + 1;
      const gboolean known = kind >= MATRIX_RANK_1 && kind <= MATRIX_RANK_3;
      g_autofree double *values = matrix_make (kind, rows, columns);

      check_matrix (values, rows, columns, g_test_rand_double_range (0.01, 100.0),
                    known                  ? (int) (kind - MATRIX_RANK_1) + 1
                    : kind == MATRIX_BOX   ? 1
                    : kind == MATRIX_ONE   ? 1
                    : kind == MATRIX_ZERO  ? 0
                    : kind == MATRIX_DENSE ? CONVOLVE_PRODUCTS_MAX + 1
                                           : -1);
    }
}

/* A sum of products at right angles, each share times as large as the one before. */
static double *
make_cosines (int rows, int columns, int from, int terms, double share)
{
  double *values = g_new0 (double, rows *columns);

  for (int k = from; k < terms; k++)
    for (int n = 0; n < rows * columns; n++)
      values[n] += pow (share, k) * cos (G_PI * (n / columns + 0.5) * k / rows) *
                   cos (G_PI * (n % columns + 0.5) * k / columns);
  return values;
}

static double
get_sum (const double *values, int n)
{
  double sum = 0.0;

  for (int i = 0; i < n; i++)
    sum += fabs (values[i]);
  return sum;
}

/* Returns the magnitude of the products from number from on, relative to that of all products. */
static double
get_rest (int rows, int columns, int from, int terms, double share)
{
  g_autofree double *all = make_cosines (rows, columns, 0, terms, share);
  g_autofree double *rest = make_cosines (rows, columns, from, terms, share);

  return get_sum (rest, rows * columns) / get_sum (all, rows * columns);
}

/* Singular values that are known: few, many, equal, and so small that they count no more. The rank
 * is not counted above the most that is used. */
TEST (test_rank, "/matrix/rank")
{
  static const double shares[] = { 1.0, 0.9, 0.5, 0.1, 1e-3, 1e-5 };

  for (int n = 0; n < 60; n++)
    {
      const int rows = 2 * g_test_rand_int_range (0, 32) + 1;
      const int columns = 2 * g_test_rand_int_range (0, 32) + 1;
      const int terms = g_test_rand_int_range (1, MIN (rows, columns) + 1);
      const double share = shares[n % G_N_ELEMENTS (shares)];
      g_autofree double *values = make_cosines (rows, columns, 0, terms, share);
      ConvolveMatrix matrix;

      convolve_matrix_init (&matrix, values, rows, columns, 1.0);
      g_test_message ("%d x %d, %d times %g: %d", rows, columns, terms, share, matrix.rank);
      g_assert_cmpint (matrix.rank, <=, CONVOLVE_PRODUCTS_MAX + 1);
      if (matrix.rank <= CONVOLVE_PRODUCTS_MAX)
        g_assert_cmpfloat (get_rest (rows, columns, matrix.rank, terms, share), <, 2.1e-7);
      g_assert_cmpfloat (get_rest (rows, columns, matrix.rank - 1, terms, share), >, 1.9e-7);
      convolve_matrix_clear (&matrix);
    }
}

/* The same for large matrices. */
TEST (test_large_rank, "/matrix/large-rank")
{
  static const int sizes[][2] = { { 65, 65 },   { 1, 1023 },   { 1023, 1 },  { 3, 1023 },
                                  { 1023, 5 },  { 65, 1 },     { 201, 201 }, { 63, 255 },
                                  { 511, 127 }, { 1023, 1023 } };

  for (int n = 0; n < 60; n++)
    {
      const int rows = sizes[n % 10][0], columns = sizes[n % 10][1];
      const int terms = MIN (1 + n / 10 % 6, MIN (rows, columns));
      const double share = n % 3 == 0 ? 1.0 : n % 3 == 1 ? 0.1 : 1e-3;
      g_autofree double *values = make_cosines (rows, columns, 0, terms, share);
      ConvolveMatrix matrix;

      convolve_matrix_init (&matrix, values, rows, columns, 1.0);
      g_test_message ("%d x %d, %d times %g: %d", rows, columns, terms, share, matrix.rank);
      g_assert_cmpint (matrix.rank, <=, CONVOLVE_PRODUCTS_MAX + 1);
      if (matrix.rank <= CONVOLVE_PRODUCTS_MAX)
        g_assert_cmpfloat (get_rest (rows, columns, matrix.rank, terms, share), <, 2.1e-7);
      g_assert_cmpfloat (get_rest (rows, columns, matrix.rank - 1, terms, share), >, 1.9e-7);
      convolve_matrix_clear (&matrix);
      check_matrix (values, rows, columns, 3.0, -1);
    }
}

/* Large matrices of each kind; those of random values have a rank that is not low. */
TEST (test_large_kinds, "/matrix/large-kinds")
{
  static const int sizes[][2] = {
    { 65, 65 }, { 127, 255 }, { 1023, 65 }, { 511, 511 }, { 1023, 1023 }
  };

  for (gsize s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (MatrixKind kind = 0; kind < MATRICES; kind++)
      {
        const int rows = sizes[s][0], columns = sizes[s][1];
        const gboolean known = kind >= MATRIX_RANK_1 && kind <= MATRIX_RANK_3;
        g_autofree double *values = matrix_make (kind, rows, columns);

        check_matrix (values, rows, columns, g_test_rand_double_range (0.01, 100.0),
                      known                                      ? (int) (kind - MATRIX_RANK_1) + 1
                      : kind == MATRIX_BOX || kind == MATRIX_ONE ? 1
                      : kind == MATRIX_ZERO                      ? 0
                                                                 : CONVOLVE_PRODUCTS_MAX + 1);
      }
}

/* Refusals. */

static void
check_refused (const ConvolveParams *params, const char *word, const char *value)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (convolve_plan_new (params, &rgba, &error));
  g_assert_error (error, FX_ERROR, FX_ERROR_ARGUMENT);
  if (! strstr (error->message, word) || ! strstr (error->message, value))
    g_test_message ("no \"%s\" with \"%s\" in: %s", word, value, error->message);
  g_assert_true (strstr (error->message, word) && strstr (error->message, value));
}

TEST (test_refusals, "/matrix/refusals")
{
  double values[9] = { 1.0 };
  const ConvolveParams good = { .rows = 3, .columns = 3, .values = values };
  ConvolveParams params;

  g_assert_true (convolve_params_check (&good, NULL));
#define REFUSE(member, value, word, text) \
  params = good;                          \
  params.member = value;                  \
  check_refused (&params, word, text)

  REFUSE (rows, 0, "rows", "0");
  REFUSE (rows, 2, "rows", "2");
  REFUSE (rows, 1025, "rows", "1025");
  REFUSE (rows, -1, "rows", "-1");
  REFUSE (columns, 4, "columns", "4");
  REFUSE (columns, G_MAXINT, "columns", "2147483647");
  REFUSE (divisor, NAN, "divisor", "nan");
  REFUSE (divisor, INFINITY, "divisor", "inf");
  REFUSE (divisor, 1e-45, "divisor", "infinite");
  REFUSE (offset, -INFINITY, "offset", "-inf");
  REFUSE (channels, 16, "channels", "16");
  REFUSE (alpha, 3, "alpha-weighting", "3");
  REFUSE (abyss, 4, "abyss", "4");
  REFUSE (light, 2, "light", "2");
#undef REFUSE
  values[5] = NAN;
  check_refused (&good, "row 2, column 3", "nan");
  values[5] = -1e39;
  check_refused (&good, "row 2, column 3", "-1e+39");
}

/* Plans. */

/* Values that cancel out but for their rounding have no sum. */
TEST (test_sum, "/matrix/sum")
{
  const double values[] = { 0.1, 0.2, -0.3 };
  ConvolveParams params = { .rows = 1, .columns = 3, .values = values };
  ConvolveFacts facts;

  g_assert_cmpfloat (convolve_params_get_sum (&params), ==, 0.0);
  g_assert_cmpfloat (convolve_params_get_divisor (&params), ==, 1.0);
  convolve_params_get_facts (&params, &facts);
  g_assert_cmpfloat (facts.sum, ==, 0.0);
  g_assert_cmpint (facts.taps, ==, 3);
  g_assert_cmpint (facts.rank, ==, 1);
  params.divisor = -4.0;
  g_assert_cmpfloat (convolve_params_get_divisor (&params), ==, -4.0);
}

/* Transforms of a large matrix cost as much for a few rows as for many. */
TEST (test_worthwhile, "/matrix/worthwhile-rows")
{
  for (int size = 63; size <= 65; size += 2)
    {
      g_autofree double *values = matrix_make (MATRIX_BOX, size, size);
      const ConvolveParams params = { .rows = size, .columns = size, .values = values };
      g_autoptr (FxPlan) plan = convolve_plan_new (&params, &rgba, NULL);

      g_assert_cmpint (plan->reach.worthwhile_rows, ==, size > 63 ? size : 0);
    }
}

static gboolean
is_identity (const ConvolveParams *params)
{
  g_autoptr (FxPlan) plan = convolve_plan_new (params, &rgba, NULL);

  return plan->identity;
}

TEST (test_identity, "/matrix/identity")
{
  const double values[9] = { [4] = 3.0 };
  const double aside[9] = { [5] = 3.0 };
  ConvolveParams params = { .rows = 3, .columns = 3, .values = values };

  g_assert_true (is_identity (&params)); /* the divisor is 3 */
  params.divisor = 2.0;
  g_assert_false (is_identity (&params));
  params.divisor = 0.0;
  params.offset = 0.1;
  g_assert_false (is_identity (&params));
  params.offset = 0.0;
  params.values = aside;
  g_assert_false (is_identity (&params));
}

/* No channel of a grey image is the alpha that is asked for. */
TEST (test_no_channel, "/matrix/no-channel")
{
  const double values[9] = { [5] = 3.0 };
  const FxFormat grey = { FX_SAMPLE_U8, 1, TRUE };
  const ConvolveParams params = {
    .rows = 3, .columns = 3, .values = values, .channels = CONVOLVE_ALPHA
  };
  g_autoptr (FxPlan) plan = convolve_plan_new (&params, &grey, NULL);

  g_assert_true (plan->identity);
}

/* A draft has the sum of the whole. */
TEST (test_draft, "/matrix/draft")
{
  for (int n = 0; n < 100; n++)
    {
      const int rows = 2 * g_test_rand_int_range (0, 32) + 1;
      const int columns = 2 * g_test_rand_int_range (0, 32) + 1;
      g_autofree double *values = matrix_make (MATRIX_POSITIVE, rows, columns);
      const ConvolveParams params = { .rows = rows, .columns = columns, .values = values };
      g_autoptr (FxPlan) plan = convolve_plan_new (&params, &rgba, NULL);
      g_autoptr (FxPlan) draft = plan->filter->get_draft (plan, 1 + n % 6);
      const ConvolveMatrix *matrix = &convolve_plan_get (draft)->matrix;

      g_assert_cmpfloat (fabs (get_magnitude (matrix) - 1.0), <, 1e-5);
      g_assert_cmpint (draft->reach.left, <=, (plan->reach.left >> (1 + n % 6)) + 1);
    }
}
