/* Plans of the convolution: whatever the parameters and the format, there is one or an error; its
 * matrix is finite, its products make the matrix, and it cuts any image into strips that lie within
 * it. */
#include "convolve-plan.h"
#include "plans.h"

#include <float.h>
#include <math.h>

#define VALUES_MAX (CONVOLVE_SIZE_MAX * CONVOLVE_SIZE_MAX)

/* Numbers as matrices have them, or any. */
static double
take_value (FuzzInput *input, guint8 kind)
{
  switch (kind & 3)
    {
    case 0:
      return fuzz_take_signed_byte (input);
    case 1:
      return fuzz_take_short (input) / 256.0;
    case 2:
      return fuzz_take_float (input);
    default:
      return fuzz_take_double (input);
    }
}

static int
take_size (FuzzInput *input, guint8 kind)
{
  return kind & 4 ? fuzz_take_int (input) : fuzz_take_byte (input) % 64 | 1;
}

static gboolean
is_size (int size)
{
  return size >= 1 && size <= CONVOLVE_SIZE_MAX;
}

static void
take_params (FuzzInput *input, ConvolveParams *params, double *values)
{
  guint8 kind = fuzz_take_byte (input), choices = fuzz_take_byte (input);

  params->rows = take_size (input, kind);
  params->columns = take_size (input, kind);
  params->divisor = kind & 8 ? take_value (input, kind) : 0.0;
  params->offset = kind & 16 ? take_value (input, kind) : 0.0;
  params->channels = kind & 32 ? (guint) fuzz_take_int (input) : choices & 15;
  params->alpha = (ConvolveAlpha) (choices >> 4 & 3);
  params->abyss = (FxAbyss) (choices >> 6);
  params->light = (FxLight) (kind >> 6 & 1);
  params->values = values;
  if (is_size (params->rows) && is_size (params->columns))
    for (int i = 0; i < params->rows * params->columns; i++)
      values[i] = take_value (input, kind);
}

static double
get_product (const ConvolveMatrix *matrix, int y, int x)
{
  double sum = 0.0;

  for (int k = 0; k < matrix->rank; k++)
    sum += (double) matrix->along_y[k * matrix->rows + y] *
           matrix->along_x[k * matrix->columns + x];
  return sum;
}

/* matrix.h allows 2e-7 of the sum of magnitudes, and what of it is below single precision is lost.
 */
static void
check_products (const ConvolveMatrix *matrix)
{
  double magnitude = 0.0, off = 0.0;
  int y, x;

  for (y = 0; y < matrix->rows; y++)
    for (x = 0; x < matrix->columns; x++)
      {
        double weight = matrix->weights[y * matrix->columns + x];

        magnitude += fabs (weight);
        off += fabs (weight - get_product (matrix, y, x));
      }
  g_assert_cmpfloat (off, <=, 1e-6 * magnitude + matrix->rows * matrix->columns * FLT_MIN);
}

static void
check_matrix (const ConvolveMatrix *matrix)
{
  int n = matrix->rows * matrix->columns, taps = 0, i;

  g_assert_true (is_size (matrix->rows) && is_size (matrix->columns));
  g_assert_true (matrix->top >= -511 && matrix->top + matrix->rows <= 512);
  g_assert_true (matrix->left >= -511 && matrix->left + matrix->columns <= 512);
  for (i = 0; i < n; i++)
    {
      g_assert_true (isfinite (matrix->weights[i]));
      taps += matrix->weights[i] != 0.0f;
    }
  g_assert_cmpint (taps, ==, matrix->taps);
  if (matrix->along_x)
    check_products (matrix);
}

static void
check_facts (const ConvolveParams *params, const FxPlan *plan)
{
  ConvolveFacts facts;

  convolve_params_get_facts (params, plan, &facts);
  g_assert_true (isfinite (facts.sum));
  g_assert_true (facts.taps >= 0 && facts.taps <= params->rows * params->columns);
  g_assert_true (facts.cpu_passes >= 0 && facts.cpu_passes <= CONVOLVE_PRODUCTS_MAX);
  g_assert_true (facts.gpu_passes >= 0 && facts.gpu_passes <= CONVOLVE_PRODUCTS_MAX);
  g_assert_true (! facts.cpu_fft || facts.cpu_passes == 0);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  static double values[VALUES_MAX];
  FuzzInput input = { data, size };
  ConvolveParams params;
  FxFormat format;
  g_autoptr (GError) error = NULL;
  g_autoptr (FxPlan) plan = NULL;

  take_params (&input, &params, values);
  plans_take_format (&input, &format);
  plan = convolve_plan_new (&params, &format, &error);
  if (! plans_check_made (plan, convolve_params_check (&params, NULL), &format, error))
    return 0;
  check_matrix (&convolve_plan_get (plan)->matrix);
  if (convolve_plan_get (plan)->alpha_matrix)
    check_matrix (convolve_plan_get (plan)->alpha_matrix);
  check_facts (&params, plan);
  plans_check (plan, CONVOLVE_SIZE_MAX / 2, &input);
  return 0;
}
