/* A matrix as a sum of products of a column and a row, on the GPU. */
#include "convolve-gpu.h"
#include "convolve-kernels.h"

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

const FxProgram convolve_program_products = { "convolve-products", "products.cu",
                                              convolve_kernels_get_resource, define_products };

/* The run. */

static int
gpu_products_count_taps (const ConvolvePlan *plan)
{
  return plan->strategy.gpu.products * (plan->matrix.rows + plan->matrix.columns);
}

static gboolean
gpu_products_begin (FxGpuRun *run, GError **error)
{
  ProductsRun *products = (ProductsRun *) run;

  products->tile = convolve_products_choose_tile (&run->program_case);
  convolve_trace_path (convolve_plan_get (run->base.plan), "products");
  return convolve_gpu_run_begin (&products->base, error);
}

static gboolean
gpu_products_pull_part (FxGpuRun *run, const FxRect *part, gpointer data, GError **error)
{
  ProductsRun *products = (ProductsRun *) run;
  ConvolveGpuRun *base = &products->base;
  int left = part->x, right = part->x + part->width, top = part->y, end = part->y + part->height;
  gpointer result = fx_gpu_run_get_row (run, part->y);
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
gpu_products_pull (FxGpuRun *run, const FxRect *area, GError **error)
{
  const ConvolvePlan *plan = convolve_plan_get (run->base.plan);

  return fx_gpu_run_queue (run, area, gpu_products_count_taps (plan), 0, PRODUCT_RUN,
                           gpu_products_pull_part, NULL, error);
}

const FxGpuPath convolve_gpu_products = {
  .size = sizeof (ProductsRun),
  .programs = { &convolve_program_products },
  .begin = gpu_products_begin,
  .pull = gpu_products_pull,
};
