/* GEGL's operations that blur by gegl:gaussian-blur, with the take-over: ours blurs in them, they
 * keep their sizes, and their results are near to those with GEGL's own FIR.
 *
 * CUDA_BLUR_TEST_MODULE: the module. Each operation runs in a process of its own, which is traced.
 */
#include "chain.h"
#include "session.h"

#include <math.h>

#define THEIRS "gegl:gaussian-blur"

/* Values of the property "filter". From sigma 1 on, GEGL takes its IIR by itself, which is no
 * Gaussian beside a line. */
#define AUTO 0
#define FIR  1

/* Where 1 is white. GEGL's FIR ends at 3.25 sigma, and leaves out 0.0012 of the weights an axis. An
 * operation that amplifies the blur is set so that it does so by less than 2. */
#define TOLERANCE 0.002

typedef struct {
  const char *name;
  double value; /* also of an integer, a switch or a choice */
} Setting;

typedef struct {
  const char *name, *radius; /* the operation, and its property that says how far it blurs */
  Setting settings[4];
  int since;          /* GEGL 0.4.x has it */
  gboolean steps;     /* it has thresholds or rounds, so that a pixel may differ by any amount */
  gboolean opaque;    /* it shows the colour of what is all but transparent, which is undefined */
  gboolean masked;    /* it takes a mask, which is the picture itself */
  gboolean at_origin; /* it writes out of its own memory if the picture begins elsewhere */
} User;

static const User users[] = {
  { .name = "bevel", .radius = "radius", { { "type", 1 } }, .since = 62, .steps = TRUE },
  { .name = "bloom", .radius = "radius", { { "strength", 80 } }, .since = 42 },
  { .name = "cartoon",
    .radius = "mask-radius",
    { { "pct-black", 0.3 } },
    .since = 42,
    .steps = TRUE,
    .opaque = TRUE },
  { .name = "difference-of-gaussians",
    .radius = "radius1",
    { { "radius2", 0.7 } },
    .since = 42,
    .opaque = TRUE },
  { .name = "dropshadow", .radius = "radius", { { "x", -7 } }, .since = 42 },
  { .name = "high-pass", .radius = "std-dev", { { "contrast", 1.5 } }, .since = 42 },
  { .name = "inner-glow", .radius = "radius", { { "x", 3 } }, .since = 62, .steps = TRUE },
  { .name = "local-threshold", .radius = "radius", .since = 62, .steps = TRUE },
  { .name = "photocopy",
    .radius = "mask-radius",
    { { "sharpness", 0.4 } },
    .since = 42,
    .steps = TRUE,
    .opaque = TRUE },
  { .name = "shadows-highlights", .radius = "radius", { { "shadows", 50 } }, .since = 42 },
  { .name = "softglow", .radius = "glow-radius", { { "brightness", 0.4 } }, .since = 42 },
  { .name = "styles",
    .radius = "shadow-radius",
    { { "shadow-opacity", 1 }, { "enableoutline", 1 }, { "enableinnerglow", 1 } },
    .since = 62,
    .steps = TRUE },
  { .name = "unsharp-mask", .radius = "std-dev", { { "scale", 2 } }, .since = 42 },
  { .name = "variable-blur", .radius = "radius", .since = 42, .masked = TRUE },
  { .name = "waterpixels",
    .radius = "smoothness",
    { { "size", 8 }, { "regularization", 3 } },
    .since = 42,
    .steps = TRUE,
    .opaque = TRUE,
    .at_origin = TRUE },
};

static const char *const formats[] = { "R'G'B' u16", "Y' u8", "Y float", "R'G'B'A u8",
                                       "RGBA float" };
#define OPAQUE 3 /* of these have no alpha */

static const double radii[] = { 0.0, 0.4, 0.9, 2.5, 7.0, 13.0 };

/* Of nodes that are made from now on, be it within an operation that runs. */
static void
set_take_over (gboolean on)
{
  g_setenv ("CUDA_BLUR_TAKE_OVER", on ? "yes" : "no", TRUE);
}

static void
choose_filter (int filter)
{
  G_PARAM_SPEC_ENUM (gegl_operation_find_property (THEIRS, "filter"))->default_value = filter;
}

/* Sets the property, or the nearest that it may be. */
static void
set_near (GeglNode *node, const char *name, double value)
{
  GParamSpec *spec = gegl_node_find_property (node, name);

  g_assert_nonnull (spec);
  if (G_IS_PARAM_SPEC_DOUBLE (spec))
    {
      GParamSpecDouble *range = G_PARAM_SPEC_DOUBLE (spec);

      gegl_node_set (node, name, CLAMP (value, range->minimum, range->maximum), NULL);
    }
  else
    gegl_node_set (node, name, (int) value, NULL);
}

static void
chain_init_user (Chain *chain, const User *user, const char *format)
{
  g_autofree char *operation = g_strconcat ("gegl:", user->name, NULL);

  chain_init (chain, operation, format, user->at_origin ? 0 : -7, user->at_origin ? 0 : 11);
  for (int i = 0; user->settings[i].name; i++)
    set_near (chain->node, user->settings[i].name, user->settings[i].value);
  if (user->masked)
    gegl_node_connect_to (chain->source, "output", chain->node, "aux");
}

/* Nodes of softglow and others are made only while it runs. */
static void
check_near (const Chain *theirs, const Chain *ours, gboolean steps)
{
  g_autofree float *a = NULL, *b = NULL;
  GeglRectangle box;
  double difference, largest = 0.0, sum = 0.0;
  int n;

  set_take_over (FALSE);
  a = chain_get_result (theirs, &box);
  set_take_over (TRUE);
  b = chain_get_result (ours, &box);
  n = box.width * box.height * 4;
  for (int i = 0; i < n; i++)
    {
      difference = fabs ((double) a[i] - b[i]);
      largest = MAX (largest, difference);
      sum += difference;
    }
  g_test_message ("%g, on average %g", largest, sum / n);
  g_assert_cmpfloat (steps ? sum / n : largest, <=, TOLERANCE);
}

static void
check_format (const User *user, const char *format, int filter)
{
  g_auto (Chain) theirs = { NULL }, ours = { NULL };

  choose_filter (filter);
  set_take_over (FALSE);
  chain_init_user (&theirs, user, format);
  set_take_over (TRUE);
  chain_init_user (&ours, user, format);
  for (guint i = 0; i < G_N_ELEMENTS (radii); i++)
    {
      g_test_message ("%s, %g", format, radii[i]);
      set_near (theirs.node, user->radius, radii[i]);
      set_near (ours.node, user->radius, radii[i]);
      chain_check_same_size (&theirs, &ours);
      if (filter == FIR)
        check_near (&theirs, &ours, user->steps);
    }
}

static void
be_used (gconstpointer data)
{
  const User *user = data;

  session_take_over ();
  for (guint i = 0; i < (user->opaque ? OPAQUE : G_N_ELEMENTS (formats)); i++)
    {
      check_format (user, formats[i], AUTO);
      check_format (user, formats[i], FIR);
    }
  session_clean ();
}

static void
test_user (gconstpointer data)
{
  const User *user = data;
  g_autofree char *path = g_strconcat ("/users/subprocess/", user->name, NULL);
  int major, minor, micro;

  gegl_get_version (&major, &minor, &micro);
  if (minor == 4 && micro < user->since)
    {
      g_test_skip ("this GEGL has no such operation");
      return;
    }
  g_test_trap_subprocess (path, 0, 0);
  g_test_trap_assert_passed ();
  g_test_trap_assert_stderr ("*cuda-blur: process *");
}

int
main (int argc, char **argv)
{
  g_setenv ("CUDA_BLUR_TRACE", "1", TRUE);
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (users); i++)
    {
      g_autofree char *path = g_strconcat ("/users/", users[i].name, NULL);
      g_autofree char *process = g_strconcat ("/users/subprocess/", users[i].name, NULL);

      g_test_add_data_func (path, &users[i], test_user);
      g_test_add_data_func (process, &users[i], be_used);
    }
  return g_test_run ();
}
