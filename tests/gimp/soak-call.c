#include "soak-call.h"

#include "watch.h"

/* Samples times taps that take about half a second. */
#define ENGINE_COST    2e9
#define REFERENCE_COST 2e8

#define GROWING_SIGMA_MAX 20.0
#define OWN_SIGMA_MAX     100.0

#define SIDES 32 /* of matrices: the odd numbers up to 63 */

/* Of the calls that can name a device, if there is a GPU; GIMP's own blur, one call in eight,
 * cannot: the GPU is asked for in half of all. */
#define GPU_SHARE (4.0 / 7.0)

#define OWN_SIGMA 0.32 /* that GIMP's own blur makes of a pixel of its size */

/* Drawing */

static gboolean
happens (GRand *rand, double probability)
{
  return g_rand_double (rand) < probability;
}

/* Small numbers as often as large ones. */
static double
draw_scaled (GRand *rand, double low, double high)
{
  return exp (g_rand_double_range (rand, log (low), log (high)));
}

/* Most are small. */
static void
draw_size (GRand *rand, SoakCall *call)
{
  double largest = happens (rand, 0.02) ? 3000.0 : happens (rand, 0.1) ? 1200.0 : 200.0;

  call->width = (int) draw_scaled (rand, 1.0, largest + 1.0);
  call->height = (int) draw_scaled (rand, 1.0, largest + 1.0);
}

static double
draw_sigma (GRand *rand)
{
  if (happens (rand, 0.05))
    return 0.0;
  return happens (rand, 0.01) ? 5000.0 : draw_scaled (rand, 0.1, 200.0);
}

static int
draw_kernel_size (GRand *rand)
{
  if (happens (rand, 0.5))
    return 0;
  return happens (rand, 0.03) ? 9999 : 2 * g_rand_int_range (rand, 0, 100) + 1;
}

static void
draw_blur (GRand *rand, SoakCall *call)
{
  Args *args = &call->args;

  args->sigma_x = draw_sigma (rand);
  args->sigma_y = happens (rand, 0.5) ? args->sigma_x : draw_sigma (rand);
  args->kernel_size = draw_kernel_size (rand);
  args->abyss = g_rand_int_range (rand, 0, 4);
  args->light = g_rand_int_range (rand, 0, 2);
  args->grow = happens (rand, 0.25);
  if (args->grow)
    {
      args->sigma_x = fmin (args->sigma_x, GROWING_SIGMA_MAX);
      args->sigma_y = fmin (args->sigma_y, GROWING_SIGMA_MAX);
      args->kernel_size = MIN (args->kernel_size, 101);
    }
}

/* Like GIMP's own blur: of the stored values, whatever their light. */
static void
draw_own_blur (SoakCall *call)
{
  Args *args = &call->args;

  *args = (Args) { .sigma_x = CLAMP (args->sigma_x, 0.5, OWN_SIGMA_MAX),
                   .sigma_y = CLAMP (args->sigma_y, 0.5, OWN_SIGMA_MAX),
                   .abyss = FX_ABYSS_CLAMP,
                   .light = precisions[call->precision].gamma ? FX_LIGHT_PERCEPTUAL
                                                              : FX_LIGHT_LINEAR };
  call->wild = FALSE;
}

static int
draw_side (GRand *rand)
{
  return 2 * g_rand_int_range (rand, 0, SIDES) + 1;
}

/* A matrix with negative values is divided by the sum of their magnitudes: divided by their own
 * sum, which may be nearly 0, the result would have no bound. Nor does colour have one if alpha is
 * negative, as such values can make it. */
static void
draw_matrix (GRand *rand, SoakCall *call, gboolean judged)
{
  Convolution *own = &call->own;
  gboolean negative = happens (rand, 0.5);
  double sum = 0.0;

  own->rows = draw_side (rand);
  own->columns = draw_side (rand);
  own->count = own->rows * own->columns;
  own->values = call->values = g_new (double, own->count);
  for (int i = 0; i < own->count; i++)
    {
      call->values[i] = g_rand_double_range (rand, negative ? -1.0 : 0.05, 1.0);
      sum += fabs (call->values[i]);
    }
  own->divisor = negative ? sum : 0.0;
  own->offset = happens (rand, 0.3) ? g_rand_double_range (rand, 0.0, 0.5) : 0.0;
  own->channels = happens (rand, 0.7) ? 0 : g_rand_int_range (rand, 0, 16);
  own->weighting = g_rand_int_range (rand, 0, 3);
  if (judged && negative)
    {
      own->channels = g_rand_int_range (rand, 1, 8); /* some colours */
      own->weighting = CONVOLVE_ALPHA_STRAIGHT;
    }
  own->abyss = g_rand_int_range (rand, 0, 4);
  own->light = g_rand_int_range (rand, 0, 2);
}

/* Each kind of layer as often as masks, and as channels. */
static void
draw_format (GRand *rand, SoakCall *call)
{
  const int types = G_N_ELEMENTS (image_types);
  const int kinds = soak_call_is_operation (call) ? 1 : N_SOAK_KINDS;
  int drawn = g_rand_int_range (rand, 0, types + kinds - 1);

  call->precision = g_rand_int_range (rand, 0, N_PRECISIONS);
  call->kind = drawn < types ? SOAK_LAYER : SOAK_LAYER + 1 + drawn - types;
  call->type = drawn < types ? drawn : g_rand_int_range (rand, 0, types);
}

static int
draw_device (GRand *rand)
{
  if (happens (rand, subject_on_gpu (FX_DEVICE_GPU) ? GPU_SHARE : 0.03))
    return FX_DEVICE_GPU;
  return happens (rand, 0.25) ? FX_DEVICE_CPU : FX_DEVICE_AUTO;
}

/* Through a soft selection GIMP mixes rounded values: if alpha is small, no bound holds for
 * colour. */
static int
draw_selection (GRand *rand, const SoakCall *call, gboolean judged)
{
  gboolean alpha = call->kind == SOAK_LAYER && call->type % 2 == 1;
  int selection = g_rand_int_range (rand, 0, N_SELECTIONS);

  if (soak_call_is_operation (call) || happens (rand, 0.7))
    return N_SELECTIONS;
  return judged && alpha && selection == SELECT_FEATHERED ? SELECT_CORNER : selection;
}

/* The cost */

static double
get_taps (const SoakCall *call, SoakJudge judge)
{
  const Args *args = &call->args;

  if (! soak_call_blurs (call))
    return call->own.count;
  if (args->kernel_size)
    return 2.0 * args->kernel_size;
  return judge == SOAK_REFERENCE ? 2.0 + 12.0 * (args->sigma_x + args->sigma_y) : 200.0;
}

/* Less of the picture, not of the parameters. */
static void
limit_cost (SoakCall *call, SoakJudge judge)
{
  double limit = judge == SOAK_REFERENCE ? REFERENCE_COST : ENGINE_COST;
  int growth = call->args.grow ? 2 * (int) (4 * GROWING_SIGMA_MAX) : 0;

  while (MAX (call->width, call->height) > 1 &&
         4.0 * (call->width + growth) * (call->height + growth) * get_taps (call, judge) > limit)
    if (call->width > call->height)
      call->width /= 2;
    else
      call->height /= 2;
}

/* Calls */

SoakCall *
soak_call_draw (GRand *rand, SoakJudge judge)
{
  static const SoakWay ways[] = {
    SOAK_BLUR,     SOAK_BLUR,      SOAK_BLUR,      SOAK_CONVOLVE,
    SOAK_CONVOLVE, SOAK_CORE_BLUR, SOAK_NODE_BLUR, SOAK_NODE_CONVOLVE
  };
  gboolean judged = judge != SOAK_ANY;
  SoakCall *call = g_new0 (SoakCall, 1);

  call->way = ways[g_rand_int_range (rand, 0, G_N_ELEMENTS (ways))];
  draw_format (rand, call);
  call->left = g_rand_int_range (rand, -5, 20);
  call->top = g_rand_int_range (rand, -5, 20);
  call->wild = ! judged && happens (rand, 0.5);
  draw_size (rand, call);
  draw_blur (rand, call);
  draw_matrix (rand, call, judged);
  soak_call_set_device (call, draw_device (rand));
  if (call->way == SOAK_CORE_BLUR)
    draw_own_blur (call);
  call->selection = draw_selection (rand, call, judged);
  limit_cost (call, judge);
  return call;
}

void
soak_call_free (SoakCall *call)
{
  if (! call)
    return;
  g_free (call->values);
  g_free (call);
}

gboolean
soak_call_blurs (const SoakCall *call)
{
  return call->way != SOAK_CONVOLVE && call->way != SOAK_NODE_CONVOLVE;
}

gboolean
soak_call_is_node (const SoakCall *call)
{
  return call->way >= SOAK_NODE_BLUR;
}

gboolean
soak_call_is_operation (const SoakCall *call)
{
  return call->way >= SOAK_CORE_BLUR;
}

int
soak_call_get_device (const SoakCall *call)
{
  return call->args.device;
}

void
soak_call_set_device (SoakCall *call, int device)
{
  call->args.device = call->own.device = device;
}

/* Their images */

static void
select_part (const SoakCall *call, gint32 image)
{
  int width = gimp_image_width (image), height = gimp_image_height (image);

  gimp_context_set_antialias (FALSE);
  gimp_context_set_feather (call->selection == SELECT_FEATHERED);
  gimp_context_set_feather_radius (8.0, 8.0);
  if (call->selection == SELECT_CORNER)
    gimp_image_select_rectangle (image, GIMP_CHANNEL_OP_REPLACE, 0, 0, (width + 1) / 2,
                                 (height + 1) / 2);
  else if (call->selection < N_SELECTIONS)
    gimp_image_select_rectangle (image, GIMP_CHANNEL_OP_REPLACE, width / 3, height / 3,
                                 (width + 2) / 3, (height + 2) / 3);
  if (call->selection == SELECT_HOLE)
    gimp_selection_invert (image);
}

Subject
soak_call_make (const SoakCall *call, GRand *rand)
{
  Subject subject = subject_new_empty (precisions[call->precision].precision,
                                       image_types[call->type], call->width, call->height);

  gimp_layer_set_offsets (subject.drawable, call->left, call->top);
  if (call->kind == SOAK_MASK)
    subject.drawable = add_mask (subject);
  else if (call->kind == SOAK_CHANNEL)
    subject.drawable = add_channel (subject);
  subject_fill (subject.drawable, rand, call->wild);
  select_part (call, subject.image);
  gimp_image_clean_all (subject.image);
  return subject;
}

/* The expected results */

BlurParams
soak_call_get_params (const SoakCall *call, Subject subject)
{
  BlurParams params = subject_params (subject.drawable, &call->args);
  int x, y;

  soak_call_get_growth (call, subject, &x, &y);
  if (x > 0 || y > 0)
    params.abyss = FX_ABYSS_NONE;
  return params;
}

FxPlan *
soak_call_plan (const SoakCall *call, Subject subject, const FxFormat *format, GError **error)
{
  if (soak_call_blurs (call))
    {
      BlurParams params = soak_call_get_params (call, subject);

      return blur_plan_new (&params, format, error);
    }
  else
    {
      ConvolveParams params = convolution_params (subject.drawable, &call->own);

      return convolve_plan_new (&params, format, error);
    }
}

void
soak_call_get_growth (const SoakCall *call, Subject subject, int *x, int *y)
{
  BlurParams params = subject_params (subject.drawable, &call->args);

  *x = *y = 0;
  if (call->way == SOAK_BLUR && call->args.grow && call->kind == SOAK_LAYER &&
      gimp_drawable_has_alpha (subject.drawable) && gimp_selection_is_empty (subject.image))
    blur_params_get_growth (&params, x, y);
}

static gboolean
apply_own (Subject subject, const Args *args, GimpPDBStatusType *status, char **message)
{
  gint n_values;
  GimpParam *values = gimp_run_procedure ("plug-in-gauss", &n_values, GIMP_PDB_INT32,
                                          GIMP_RUN_NONINTERACTIVE, GIMP_PDB_IMAGE, subject.image,
                                          GIMP_PDB_DRAWABLE, subject.drawable, GIMP_PDB_FLOAT,
                                          args->sigma_x / OWN_SIGMA, GIMP_PDB_FLOAT,
                                          args->sigma_y / OWN_SIGMA, GIMP_PDB_INT32, 0,
                                          GIMP_PDB_END);

  *status = values[0].data.d_status;
  *message = *status == GIMP_PDB_SUCCESS ? NULL : g_strdup (gimp_get_pdb_error ());
  gimp_destroy_params (values, n_values);
  return *status == GIMP_PDB_SUCCESS;
}

gboolean
soak_call_run (const SoakCall *call, Subject subject, GimpPDBStatusType *status, char **message)
{
  gboolean done;

  alarm (CALL_SECONDS); /* a call that hangs ends this process, which the runner reports */
  done = call->way == SOAK_CORE_BLUR ? apply_own (subject, &call->args, status, message)
         : soak_call_blurs (call)
           ? subject_blur (subject, GIMP_RUN_NONINTERACTIVE, &call->args, status, message)
           : convolution_apply (subject, GIMP_RUN_NONINTERACTIVE, &call->own, status, message);
  alarm (0);
  return done;
}

char *
soak_call_describe (const SoakCall *call)
{
  static const char *const ways[] = { "blur", "convolve", "GIMP's own blur", "operation blur",
                                      "operation convolve" };
  static const char *const kinds[] = { "layer", "mask", "channel" };
  const Args *args = &call->args;
  const Convolution *own = &call->own;
  g_autofree char *what = NULL;

  if (soak_call_blurs (call))
    what = g_strdup_printf ("sigma %g %g, kernel size %d, abyss %d, light %d, grow %d",
                            args->sigma_x, args->sigma_y, args->kernel_size, args->abyss,
                            args->light, args->grow);
  else
    what = g_strdup_printf ("matrix %d x %d, divisor %g, offset %g, channels %d, weighting %d, "
                            "abyss %d, light %d",
                            own->rows, own->columns, own->divisor, own->offset, own->channels,
                            own->weighting, own->abyss, own->light);
  return g_strdup_printf ("%s of a %s, %s %s, %d x %d, selection %d, %s, device %d",
                          ways[call->way], kinds[call->kind], precisions[call->precision].name,
                          type_names[call->type], call->width, call->height,
                          call->selection < N_SELECTIONS ? call->selection : -1, what,
                          args->device);
}
