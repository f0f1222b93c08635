#include "sweep.h"

#include "blur.h"
#include "convolve-plan.h"
#include "lens.h"
#include "motion.h"
#include "selective.h"

#define SPARSE_TAPS 200  /* few enough to be compiled in */
#define SIZE        40.0 /* of the images that are run */

typedef enum {
  POSITIVE,     /* by taps */
  ALPHA_MATRIX, /* the same, with separate weights for alpha */
  SPARSE,       /* by taps that are compiled in */
  PRODUCTS_1,
  PRODUCTS_2,
  PRODUCTS_3,
  TRANSFORMED, /* by FFT, with any taps */
  KINDS,
} Kind;

static const Sweep *sweep;

/* Formats: 8-bit with a curve, which needs a table in shared memory; and random other ones. */

typedef struct {
  FxSample sample;
  gboolean gamma;
  FxLight light;
} Samples;

static Samples
choose_any (void)
{
  return (Samples) { (FxSample) g_test_rand_int_range (0, FX_SAMPLE_DOUBLE + 1),
                     g_test_rand_int_range (0, 2),
                     g_test_rand_bit () ? FX_LIGHT_LINEAR : FX_LIGHT_PERCEPTUAL };
}

static Samples
choose_samples (gboolean table, gboolean any)
{
  static const Samples few[] = { { FX_SAMPLE_U8, TRUE, FX_LIGHT_PERCEPTUAL },
                                 { FX_SAMPLE_U16, TRUE, FX_LIGHT_LINEAR },
                                 { FX_SAMPLE_FLOAT, FALSE, FX_LIGHT_LINEAR } };

  if (table)
    return (Samples) { FX_SAMPLE_U8, TRUE, FX_LIGHT_LINEAR };
  return any || ! sweep->few_formats ? choose_any ()
                                     : few[g_test_rand_int_range (0, G_N_ELEMENTS (few))];
}

/* Each size comes in eight formats: one to four channels, with and without a table. Returns TRUE
 * for about two of them, at random, or for all with -m slow. */
static gboolean
is_taken (void)
{
  return g_test_slow () || g_test_rand_int_range (0, 4) == 0;
}

typedef FxPlan *(*MakePlan) (gconstpointer params, const FxFormat *format, GError **error);

/* A filter's parameters, and how they become a plan. */
typedef struct {
  MakePlan make;
  gpointer params;
  FxLight *light;       /* of params; set for each format */
  const char *what;     /* describes params */
  gboolean any_samples; /* even if the sweep has few formats */
  gboolean with_alpha;  /* only formats that have it */
  gboolean specialised; /* programs are of that version, else of the generic one */
  gboolean any_version; /* of either at random, because both have the same blocks */
} Subject;

static void
check_in (const Subject *subject, Samples samples, int channels)
{
  const FxFormat format = { samples.sample, channels, samples.gamma };
  const gboolean specialised = subject->any_version ? g_test_rand_bit () : subject->specialised;
  g_autoptr (GError) error = NULL;
  FxPlan *plan;

  *subject->light = samples.light;
  plan = subject->make (subject->params, &format, &error);
  g_assert_no_error (error);
  if (! plan->identity)
    sweep->check (plan, specialised ? SWEEP_SPECIALISED : SWEEP_GENERIC, subject->what);
  fx_plan_free (plan);
}

static void
check_formats (const Subject *subject)
{
  for (int channels = 1; channels <= FX_CHANNELS_MAX; channels++)
    for (int table = 0; table < 2; table++)
      if ((! subject->with_alpha || channels % 2 == 0) && is_taken ())
        check_in (subject, choose_samples (table, subject->any_samples), channels);
}

/* Matrices. */

/* The first and the last value are not 0, so that the matrix is not cropped. */
static void
fill_sparse (double *values, int n)
{
  for (int i = 0; i < MIN (SPARSE_TAPS, n); i++)
    values[g_test_rand_int_range (0, n)] = g_test_rand_double_range (0.1, 1.0);
  values[0] = values[n - 1] = 1.0;
}

static void
add_product (double *values, int rows, int columns)
{
  g_autofree double *row = g_new (double, columns);

  for (int i = 0; i < columns; i++)
    row[i] = g_test_rand_double_range (-1.0, 1.0);
  for (int j = 0; j < rows; j++)
    {
      const double factor = g_test_rand_double_range (-1.0, 1.0);

      for (int i = 0; i < columns; i++)
        values[j * columns + i] += factor * row[i];
    }
}

static gboolean
is_products (Kind kind)
{
  return kind >= PRODUCTS_1 && kind <= PRODUCTS_3;
}

static double *
make_matrix (Kind kind, int rows, int columns)
{
  const int n = rows * columns;
  double *values = g_new0 (double, n);

  if (kind == SPARSE)
    fill_sparse (values, n);
  else if (is_products (kind))
    for (int i = PRODUCTS_1; i <= (int) kind; i++)
      add_product (values, rows, columns);
  else
    for (int i = 0; i < n; i++)
      values[i] = g_test_rand_double_range (kind == ALPHA_MATRIX ? -1.0 : 0.0, 1.0);
  return values;
}

/* Matrices of any size go by the path that is swept, even if another one is cheaper. */
static ConvolvePath
choose_path (Kind kind)
{
  if (kind == TRANSFORMED)
    return CONVOLVE_PATH_FFT;
  return kind <= ALPHA_MATRIX ? CONVOLVE_PATH_TAPS : CONVOLVE_PATH_CHEAPEST;
}

static double
get_magnitude (const double *values, int n)
{
  double sum = 0.0;

  for (int i = 0; i < n; i++)
    sum += ABS (values[i]);
  return sum;
}

typedef struct {
  ConvolveParams params;
  ConvolveChoice choice;
} Matrix;

static FxPlan *
make_convolution (gconstpointer data, const FxFormat *format, GError **error)
{
  const Matrix *matrix = data;
  FxPlan *plan = convolve_plan_new (&matrix->params, format, error);

  if (plan)
    convolve_plan_choose ((ConvolvePlan *) plan, &matrix->choice);
  return plan;
}

static void
check_size (Kind kind, int rows, int columns)
{
  g_autofree double *values = make_matrix (kind, rows, columns);
  g_autofree char *what = g_strdup_printf ("matrix %dx%d, kind %d", rows, columns, kind);
  Matrix matrix = { .params = { .rows = rows,
                                .columns = columns,
                                .values = values,
                                .divisor = get_magnitude (values, rows * columns),
                                .alpha = CONVOLVE_ALPHA_PREMULTIPLIED },
                    .choice = { .path = choose_path (kind) } };

  if (kind == ALPHA_MATRIX)
    matrix.params.channels = CONVOLVE_RED | CONVOLVE_GREEN | CONVOLVE_BLUE;
  check_formats (&(Subject) { make_convolution, &matrix, &matrix.params.light, what,
                              .any_samples = kind == POSITIVE, .with_alpha = kind == ALPHA_MATRIX,
                              .specialised = kind == SPARSE, .any_version = is_products (kind) });
}

/* Large matrices are always transformed. */
static void
check_large_sizes (void)
{
  static const int sizes[] = { 1, 33, 65, 255, 511, 1023 };

  for (gsize i = 0; i < G_N_ELEMENTS (sizes) * G_N_ELEMENTS (sizes); i++)
    {
      const int rows = sizes[i / G_N_ELEMENTS (sizes)], columns = sizes[i % G_N_ELEMENTS (sizes)];

      if (MAX (rows, columns) > CONVOLVE_SMALL_MAX)
        check_size (TRANSFORMED, rows, columns);
    }
}

static void
test_matrices (gconstpointer kind)
{
  for (int rows = 1; rows <= CONVOLVE_SMALL_MAX; rows += 2)
    for (int columns = 1; columns <= CONVOLVE_SMALL_MAX; columns += 2)
      check_size (GPOINTER_TO_INT (kind), rows, columns);
  if (GPOINTER_TO_INT (kind) == TRANSFORMED)
    check_large_sizes ();
  sweep->end ();
}

/* The blur. */

static void
check_blur (double sigma_x, double sigma_y, int kernel_size)
{
  g_autofree char *what = g_strdup_printf ("sigma %g, %g, kernel size %d", sigma_x, sigma_y,
                                           kernel_size);
  BlurParams params = { .sigma_x = sigma_x, .sigma_y = sigma_y, .kernel_size = kernel_size };

  check_formats (
    &(Subject) { (MakePlan) blur_plan_new, &params, &params.light, what, .any_version = TRUE });
}

/* Covers each radius of the FIR on each axis, and some sigmas of the multi-resolution method. */
static void
test_sigmas (void)
{
  g_autoptr (GArray) sigmas = g_array_new (FALSE, FALSE, sizeof (double));
  const double large[] = { 0.0, 12.0, 17.0, 30.0, 100.0, 1000.0 };

  g_array_append_vals (sigmas, large, G_N_ELEMENTS (large));
  for (double sigma = 0.3; sigma < 9.0; sigma += 0.2)
    g_array_append_val (sigmas, sigma);
  for (guint x = 0; x < sigmas->len; x++)
    for (guint y = 0; y < sigmas->len; y++)
      check_blur (g_array_index (sigmas, double, x), g_array_index (sigmas, double, y), 0);
  sweep->end ();
}

static void
test_kernel_sizes (void)
{
  for (int kernel_size = 1; kernel_size < 300; kernel_size += 2)
    {
      check_blur (60.0, 60.0, kernel_size);
      check_blur (60.0, 0.0, kernel_size);
      check_blur (0.0, 60.0, kernel_size);
      check_blur (2.5, 60.0, kernel_size);
      check_blur (60.0, 2.5, kernel_size);
    }
  sweep->end ();
}

/* The lens blur. */

/* Nothing is compiled for a single radius. */
static void
check_radius (double radius, double squeeze)
{
  LensParams params = { .radius = radius,
                        .blades = g_test_rand_bit () ? 6 : 0,
                        .rotation = g_test_rand_double_range (-180.0, 180.0),
                        .squeeze = squeeze,
                        .highlights = g_test_rand_bit ()
                                        ? g_test_rand_double_range (0.1, LENS_HIGHLIGHTS_MAX)
                                        : 0,
                        .threshold = 0.8 };
  g_autofree char *what = g_strdup_printf ("radius %g, %d blades, squeeze %g, highlights %g",
                                           radius, params.blades, squeeze, params.highlights);

  check_formats (&(Subject) { (MakePlan) lens_plan_new, &params, &params.light, what });
}

/* Covers each size of the matrix up to the largest sum, and some beyond, also narrow and flat
 * ones. */
static void
test_radii (void)
{
  static const double large[] = { 33.0, 64.0, 127.0, 128.0, 255.0, LENS_RADIUS_MAX };

  for (double radius = 1.0; radius <= CONVOLVE_SMALL_MAX / 2; radius += 1.0)
    for (double squeeze = -1.0; squeeze <= 1.0; squeeze += 0.5)
      check_radius (radius, squeeze);
  for (gsize i = 0; i < G_N_ELEMENTS (large); i++)
    for (double squeeze = -1.0; squeeze <= 1.0; squeeze += 0.5)
      check_radius (large[i], squeeze);
  sweep->end ();
}

/* The motion blur. */

static FxPlan *
make_motion (gconstpointer params, const FxFormat *format, GError **error)
{
  const FxGeometry geometry = { .width = SIZE, .height = SIZE };

  return motion_plan_new (params, format, &geometry, error);
}

static void
check_motion (MotionParams params)
{
  g_autofree char *what = g_strdup_printf ("motion, kind %d, length %g, direction %g, angle %g, "
                                           "factor %g, centre %g",
                                           params.kind, params.length, params.direction,
                                           params.angle, params.factor, params.center_x);

  check_formats (&(Subject) { make_motion, &params, &params.light, what });
}

/* Lines are matrices as long and as slender as no others. */
static void
test_motions (void)
{
  static const double lengths[] = { 1.0, 10.0, 63.0, 64.0, 200.0, MOTION_LENGTH_MAX };
  static const double directions[] = { 0.0, 20.0, -45.0, 90.0 };
  static const double centers[] = { 0.5, -1.0, MOTION_CENTER_MAX };

  for (gsize i = 0; i < G_N_ELEMENTS (lengths); i++)
    for (gsize j = 0; j < G_N_ELEMENTS (directions); j++)
      check_motion ((MotionParams) {
        .kind = MOTION_LINE, .length = lengths[i], .direction = directions[j], .fade = 0.5 });
  for (gsize i = 0; i < G_N_ELEMENTS (centers); i++)
    for (double part = 0.1; part <= 1.0; part += 0.3)
      {
        check_motion ((MotionParams) {
          .kind = MOTION_SPIN, .angle = part * MOTION_ANGLE_MAX, .center_x = centers[i] });
        check_motion ((MotionParams) {
          .kind = MOTION_ZOOM, .factor = part, .center_x = centers[i], .fade = -0.5 });
      }
  sweep->end ();
}

/* The selective blur. */

static void
check_window (int radius, SelectiveEdges edges)
{
  g_autofree char *what = g_strdup_printf ("selective, edges %d, radius %d", edges, radius);
  SelectiveParams params = {
    .sigma = radius / 4.0, .radius = radius, .delta = 0.3, .edges = edges
  };

  check_formats (&(Subject) { (MakePlan) selective_plan_new, &params, &params.light, what });
}

/* Small windows and large ones, of which a launch goes through some rows. */
static void
test_windows (void)
{
  static const int radii[] = { 1, 5, 23, 24, 25, 60, 150, SELECTIVE_RADIUS_MAX };

  for (gsize i = 0; i < G_N_ELEMENTS (radii); i++)
    for (int edges = SELECTIVE_HARD; edges <= SELECTIVE_SOFT; edges++)
      check_window (radii[i], (SelectiveEdges) edges);
  sweep->end ();
}

static const struct {
  const char *name;
  void (*func) (void);
} tests[] = {
  { "sigmas", test_sigmas },   { "kernel-sizes", test_kernel_sizes }, { "radii", test_radii },
  { "motions", test_motions }, { "windows", test_windows },
};

void
sweep_add (const char *path, const Sweep *new_sweep)
{
  static const char *const names[KINDS] = { "taps",       "taps-apart", "taps-compiled-in",
                                            "products-1", "products-2", "products-3",
                                            "fft" };

  sweep = new_sweep;
  for (int kind = 0; kind < KINDS; kind++)
    {
      g_autofree char *name = g_strconcat (path, "/", names[kind], NULL);

      g_test_add_data_func (name, GINT_TO_POINTER (kind), test_matrices);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *name = g_strconcat (path, "/", tests[i].name, NULL);

      g_test_add_func (name, tests[i].func);
    }
}
