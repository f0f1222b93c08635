
#include "convolve.h"
#include "resident-source.h"
#include "matrices.h"
#include "memory.h"
#include "tested.h"

#define WIDTH  200
#define HEIGHT 500
#define BYTES  (WIDTH * HEIGHT * 4)

/* An image whose rows are counted as they are read. */
typedef struct {
  Memory memory; /* what its functions take this for */
  FxReadFunc read;
  int rows;
} Source;

static gboolean
read_rows (gpointer data, const FxRect *rect, gpointer pixels, gsize stride, GError **error)
{
  Source *source = data;

  source->rows += rect->height;
  return source->read (data, rect, pixels, stride, error);
}

/* resident: the record of its resident rows, or NULL. Returns the number of rows read. */
static int
run (Source *source, FxPlan *plan, FxResidentSource *resident)
{
  FxImage image = memory_get_image (&source->memory);
  g_autoptr (GError) error = NULL;

  source->read = image.read;
  source->rows = 0;
  image.read = read_rows;
  image.resident = resident;
  memset (source->memory.result, 0, BYTES);
  fx_engine_run (tested_engine (), plan, tested_device (), &image, NULL, &error);
  g_assert_no_error (error);
  return source->rows;
}

/* If the specialised program takes over between the runs, it may round a value next to a tie the
 * other way. */
static void
check_same (const guint8 *a, const guint8 *b)
{
  for (int i = 0; i < BYTES; i++)
    g_assert_cmpint (ABS (a[i] - b[i]), <=, 1);
}

/* By taps and by products, premultiplied and straight, of any size: a GPU that has the source does
 * not read it again, and gives what it gives without. */
TEST (test_matrices, "/convolve/source")
{
  static const struct {
    MatrixKind kind;
    int rows, columns;
  } matrices[] = {
    { MATRIX_DENSE, 5, 5 },     { MATRIX_DENSE, 5, 5 },    { MATRIX_RANK_1, 31, 21 },
    { MATRIX_ZERO_SUM, 3, 63 }, { MATRIX_POSITIVE, 9, 1 }, { MATRIX_RANK_1, 15, 31 },
  };
  const FxFormat format = { FX_SAMPLE_U8, 4, TRUE };
  g_autofree guint8 *pixels = g_malloc (BYTES), *result = g_malloc (BYTES);
  g_autofree guint8 *expected = g_malloc (BYTES);
  g_autoptr (FxResidentSource) resident = fx_resident_source_new (HEIGHT);
  Source source = { .memory = { pixels, result, WIDTH, HEIGHT, format } };

  for (int i = 0; i < BYTES; i++)
    pixels[i] = (guint8) g_test_rand_int ();
  for (guint i = 0; i < G_N_ELEMENTS (matrices); i++)
    {
      g_autofree double *values = matrix_make (matrices[i].kind, matrices[i].rows,
                                               matrices[i].columns);
      const ConvolveParams params = {
        .rows = matrices[i].rows, .columns = matrices[i].columns, .values = values, .offset = 0.01
      };
      g_autoptr (FxPlan) plan = convolve_plan_new (&params, &format, NULL);
      const gboolean there = i > 0 && tested_device () == FX_DEVICE_GPU;

      g_assert_cmpint (run (&source, plan, NULL), ==, HEIGHT);
      memcpy (expected, result, BYTES);
      g_assert_cmpint (run (&source, plan, resident), ==, there ? 0 : HEIGHT);
      check_same (expected, result);
    }
}
