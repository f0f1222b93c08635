/* A matrix as a sum of products of a column and a row, on the GPU. */
#include "convolve-gpu.h"
#include "convolve-kernels.h" /* generated from kernels/kernels.gresource.xml */

/* The most taps of all products together: more would take over half a second to compile. */
#define SPECIALISED_MAX 128

typedef struct {
  ConvolveGpuRun base;
  int tile; /* columns */
} ProductsRun;

/* Programs. */

static void
define_products (const FxProgramCase *program_case, GString *text)
{
  convolve_define_result (program_case, text);
  g_string_append_printf (text, "#define TILE %d\n#define TERMS %d\n",
                          convolve_products_choose_tile (program_case),
                          convolve_plan_get (program_case->plan)->strategy.gpu.products);
}

/* Appends the weights of each product, padded with 0. */
static void
gpu_products_append_weights (GString *text, const char *name, const float *weights, int terms,
                             int taps)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  int all = convolve_round_taps (taps), n, i;

  g_string_append_printf (text, "__constant__ float %s[%d] = {", name, terms * all);
  for (n = 0; n < terms; n++)
    for (i = 0; i < all; i++)
      g_string_append_printf (text, "%s%sf,", i % 8 ? "" : "\n",
                              g_ascii_formatd (number, sizeof number, "%.9e",
                                               i < taps ? weights[n * taps + i] : 0.0));
  g_string_append_printf (text, "\n};\n");
}

static void
gpu_products_define_specialised (const FxProgramCase *program_case, GString *text)
{
  const ConvolvePlan *plan = convolve_plan_get (program_case->plan);
  const ConvolveMatrix *matrix = &plan->matrix;
  int terms = plan->strategy.gpu.products;

  define_products (program_case, text);
  g_string_append_printf (text, "#define ROWS %d\n#define COLUMNS %d\n",
                          convolve_round_taps (matrix->rows),
                          convolve_round_taps (matrix->columns));
  gpu_products_append_weights (text, "weights_y", matrix->along_y, terms, matrix->rows);
  gpu_products_append_weights (text, "weights_x", matrix->along_x, terms, matrix->columns);
}

const FxProgram convolve_program_products = { "convolve-products", "products.cu",
                                              convolve_kernels_get_resource, define_products };
const FxProgram convolve_program_products_specialised = { "convolve-products-specialised",
                                                          "products.cu",
                                                          convolve_kernels_get_resource,
                                                          gpu_products_define_specialised };

static int
gpu_products_get_programs (const FxPlan *plan, FxVersions versions, const FxProgram **programs)
{
  programs[0] = &convolve_program_products;
  return 1;
}

/* The run. */

static int
gpu_products_count_taps (const ConvolvePlan *plan)
{
  return plan->strategy.gpu.products * (plan->matrix.rows + plan->matrix.columns);
}

static gboolean
gpu_products_begin (FxGpuRun *run, GError **error)
{
  const FxProgram *program = &convolve_program_products_specialised;
  const ConvolvePlan *plan = convolve_plan_get (run->base.plan);
  const FxProgramCase program_case = fx_gpu_run_get_case (run);
  ProductsRun *products = (ProductsRun *) run;
  gboolean specialised = FALSE;

  products->tile = convolve_products_choose_tile (&program_case);
  if (! plan->owner.name && gpu_products_count_taps (plan) <= SPECIALISED_MAX &&
      ! convolve_gpu_run_specialise (run, 1, &program, &program_case, &specialised, error))
    return FALSE;
  convolve_trace_path (plan, specialised ? "products, compiled in" : "products, generic");
  return convolve_gpu_run_begin (&products->base, error);
}

/* chunk_top is the first row of the chunk, which the result begins with. */
static gboolean
gpu_products_pull_part (FxGpuRun *run, const FxRect *part, gpointer chunk_top, GError **error)
{
  ProductsRun *products = (ProductsRun *) run;
  ConvolveGpuRun *base = &products->base;
  int left = part->x, right = part->x + part->width, top = part->y, end = part->y + part->height;
  gpointer result = fx_gpu_run_get_row (run, part->y, *(int *) chunk_top);
  int rows_a_block;
  FxLaunch launch = {
    .x = fx_ceil_div (part->width, products->tile),
    .threads = products->tile * run->base.plan->codec.format.channels,
    .shared = convolve_products_get_shared (convolve_plan_get (run->base.plan), products->tile),
  };
  void *args[] = { &run->source,
                   &base->taps,
                   &base->products,
                   &base->after,
                   &left,
                   &right,
                   &top,
                   &end,
                   &rows_a_block,
                   &result,
                   convolve_gpu_run_get_highlights (run) };

  return fx_gpu_run_launch (run, run->kernels[0], launch, part->height, base->taps.rows - 1,
                            PRODUCT_RUN, &rows_a_block, args, error);
}

static gboolean
gpu_products_pull (FxGpuRun *run, int y, int rows, GError **error)
{
  const ConvolvePlan *plan = convolve_plan_get (run->base.plan);
  const FxRect area = fx_gpu_run_get_area (run, y, rows);

  return fx_gpu_run_queue (run, &area, gpu_products_count_taps (plan), 0, PRODUCT_RUN,
                           gpu_products_pull_part, &y, error);
}

const FxGpuPath convolve_gpu_products = {
  .size = sizeof (ProductsRun),
  .get_programs = gpu_products_get_programs,
  .begin = gpu_products_begin,
  .pull = gpu_products_pull,
  .end = convolve_gpu_run_end,
};
