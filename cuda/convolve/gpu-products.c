/* The matrix as a sum of products of a column and a row, on the GPU. */
#include "convolve-kernels.h" /* generated from kernels/kernels.gresource.xml */
#include "gpu-taps.h"
#include "gpu-tile.h"

typedef struct {
  ConvolveGpuRun base;
  int tile; /* columns */
} ProductsRun;

/* Programs. */

static void
define_products (const FxProgramCase *what, GString *text)
{
  convolve_define_result (what, text);
  g_string_append_printf (text, "#define TILE %d\n#define TERMS %d\n",
                          convolve_products_choose_tile (what),
                          convolve_gpu_get_products (convolve_plan_get (what->plan)));
}

const FxProgram convolve_program_products = { "convolve-products", "products.cu",
                                              convolve_kernels_get_resource, define_products };

static int
get_programs (const FxPlan *plan, FxVersions versions, const FxProgram **programs)
{
  programs[0] = &convolve_program_products;
  return 1;
}

/* The run. */

static gsize
get_bytes (const FxPlan *plan, const FxStrip *strip)
{
  return 0;
}

static gboolean
begin (FxGpuRun *run, GError **error)
{
  const FxProgramCase what = fx_gpu_run_get_case (run);
  ProductsRun *products = (ProductsRun *) run;

  products->tile = convolve_products_choose_tile (&what);
  convolve_trace_way (convolve_plan_get (run->base.plan), "products");
  return convolve_gpu_run_begin (&products->base, error);
}

/* first: the result's first row. */
static gboolean
give_part (FxGpuRun *run, const FxRect *part, gpointer first, GError **error)
{
  ProductsRun *products = (ProductsRun *) run;
  ConvolveGpuRun *base = &products->base;
  int left = part->x, right = part->x + part->width, top = part->y, end = part->y + part->height;
  gpointer result = fx_gpu_run_get_row (run, part->y, *(int *) first);
  int rows_a_block;
  FxLaunch launch = {
    .x = fx_ceil_div (part->width, products->tile),
    .threads = products->tile * run->base.plan->codec.format.channels,
    .shared = convolve_products_get_shared (convolve_plan_get (run->base.plan), products->tile),
  };
  void *args[] = { &run->source, &base->taps, &base->products, &base->after, &left, &right,
                   &top,         &end,        &rows_a_block,   &result };

  return fx_gpu_run_launch (run, run->kernels[0], launch, part->height, base->taps.rows - 1,
                            PRODUCT_RUN, &rows_a_block, args, error);
}

static gboolean
give (FxGpuRun *run, int y, int rows, GError **error)
{
  const ConvolvePlan *plan = convolve_plan_get (run->base.plan);
  const FxRect area = fx_gpu_run_get_area (run, y, rows);
  int taps = convolve_gpu_get_products (plan) * (plan->matrix.rows + plan->matrix.columns);

  return fx_gpu_run_queue (run, &area, taps, 0, PRODUCT_RUN, give_part, &y, error);
}

const FxGpuWay convolve_gpu_products = {
  .size = sizeof (ProductsRun),
  .get_source_rows = convolve_gpu_get_source_rows,
  .get_bytes = get_bytes,
  .get_programs = get_programs,
  .begin = begin,
  .give = give,
  .end = convolve_gpu_run_end,
};
