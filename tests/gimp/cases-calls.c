#include "cases.h"

#include "processes.h"
#include "watch.h"

/* Run modes */

/* Only a dialog leaves last values, so there are none here; the call must blur all the same. The
 * tests in a window have some. */
static char *
last_values_problem (const Args *args)
{
  Subject subject = subject_for ("last values", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 60, 50);
  g_autoptr (Raster) before = subject_read (subject.drawable);
  g_autoptr (Raster) after = NULL;
  GimpPDBStatusType status;
  char *problem;

  if (subject_blur (subject, GIMP_RUN_WITH_LAST_VALS, args, &status, &problem))
    {
      after = subject_read (subject.drawable);
      problem = raster_equal (after, before) ? g_strdup ("nothing changed") : NULL;
    }
  gimp_image_delete (subject.image);
  return problem;
}

/* In a mode that fails here. words: what the message has. */
static char *
mode_problem (GimpRunMode mode, const char *words)
{
  Subject subject = subject_for ("mode", GIMP_PRECISION_U8_GAMMA, GIMP_RGB_IMAGE, 60, 50);
  Attempt attempt = attempt_begin (subject);
  char *problem;

  subject_blur (subject, mode, &plain, &attempt.status, &attempt.message);
  problem = attempt_refused_problem (&attempt, words);
  gimp_image_delete (subject.image);
  return problem;
}

static void
check_run_modes (void)
{
  report (last_values_problem (NULL), "last values, called with three arguments as from the menu");
  report (last_values_problem (&(Args) { 1.5, 4.0, 0, 2, 1, 0, 0 }),
          "last values, called with all arguments");
  report (mode_problem (GIMP_RUN_INTERACTIVE, "display"),
          "interactive without a display is an error, not a crash");
  report (mode_problem ((GimpRunMode) 3, "run-mode is 3"), "a run mode that does not exist");
}

/* Script-Fu, as scripts call it. */

static void
check_script (void)
{
  Subject subject = subject_for ("script", GIMP_PRECISION_U8_GAMMA, GIMP_RGB_IMAGE, 60, 50);
  g_autoptr (Raster) before = subject_read (subject.drawable);
  g_autoptr (Raster) after = NULL;
  char *problem = script_problem (subject, PROCEDURE, "2.5 1.3 0 0 0 0 0");

  after = subject_read (subject.drawable);
  report_on (subject, problem ?: against_engine (after, before, subject.drawable, &plain, NULL),
             "called from Script-Fu");
}

/* Errors */

static char *
refused_problem (Subject subject, const Args *args, const char *words)
{
  Attempt attempt = attempt_begin (subject);

  subject_blur (subject, GIMP_RUN_NONINTERACTIVE, args, &attempt.status, &attempt.message);
  return attempt_refused_problem (&attempt, words);
}

static void
check_bad (const Args *args, const char *words)
{
  Subject subject = subject_for ("bad", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 50, 40);

  report_on (subject, refused_problem (subject, args, words), "refused: %s", words);
}

static void
check_bad_arguments (void)
{
  static const struct {
    Args args;
    const char *words;
  } bad[] = {
    { { 3.0, 3.0, 4, 0, 0, 0, 0 }, "kernel-size is 4, but must be 0 (automatic) or an odd number" },
    { { 3.0, 3.0, -3, 0, 0, 0, 0 }, "kernel-size is -3, but must be " },
    { { 3.0, 3.0, 10001, 0, 0, 0, 0 }, "kernel-size is 10001, but must be " },
    { { 3.0, 3.0, G_MININT32, 0, 0, 0, 0 }, "kernel-size is -2147483648, but must be " },
    { { -1.0, 3.0, 0, 0, 0, 0, 0 }, "sigma-x is -1, but must be 0 to 5000 pixels" },
    { { 3.0, -0.25, 0, 0, 0, 0, 0 }, "sigma-y is -0.25, but must be 0 to 5000 pixels" },
    { { 5000.5, 3.0, 0, 0, 0, 0, 0 }, "sigma-x is 5000.5, but must be " },
    { { 3.0, 12345.0, 0, 0, 0, 0, 0 }, "sigma-y is 12345, but must be " },
    { { 3.0, 3.0, 0, 4, 0, 0, 0 }, "abyss is 4, but must be 0 (clamp)" },
    { { 3.0, 3.0, 0, -1, 0, 0, 0 }, "abyss is -1, but must be " },
    { { 3.0, 3.0, 0, 0, 2, 0, 0 }, "light is 2, but must be 0 (linear)" },
    { { 3.0, 3.0, 0, 0, -1, 0, 0 }, "light is -1, but must be " },
    { { 3.0, 3.0, 0, 0, 0, 2, 0 }, "grow is 2, but must be 0 (no)" },
    { { 3.0, 3.0, 0, 0, 0, -1, 0 }, "grow is -1, but must be " },
    { { 3.0, 3.0, 0, 0, 0, 0, 3 }, "device is 3, but must be 0 (automatic)" },
    { { 3.0, 3.0, 0, 0, 0, 0, -1 }, "device is -1, but must be " },
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    check_bad (&bad[i].args, bad[i].words);
  check_bad (NULL, "was given 3 arguments, but must be given 10");
}

/* A layer within groups, depth of them; the outermost is locked. */
static Subject
subject_in_locked_group (int depth)
{
  Subject subject = subject_for ("group", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 50, 40);
  gint32 parent = -1, outermost = -1;

  for (int i = 0; i < depth; i++)
    {
      gint32 group = gimp_layer_group_new (subject.image);

      gimp_image_insert_layer (subject.image, group, parent, 0);
      parent = group;
      if (i == 0)
        outermost = group;
    }
  gimp_image_reorder_item (subject.image, subject.drawable, parent, 0);
  gimp_item_set_lock_content (outermost, TRUE);
  return subject;
}

static void
check_refused (const char *name, Subject subject, const char *words)
{
  Args growing = plain;
  char *problem = refused_problem (subject, &plain, words);

  growing.grow = 1;
  problem = problem ?: refused_problem (subject, &growing, words);
  report_on (subject, problem, "refused: %s", name);
}

static void
check_bad_drawables (void)
{
  Subject subject = subject_for ("indexed", GIMP_PRECISION_U8_GAMMA, GIMP_RGB_IMAGE, 50, 40);
  Subject other;

  gimp_image_convert_indexed (subject.image, GIMP_CONVERT_DITHER_NONE,
                              GIMP_CONVERT_PALETTE_GENERATE, 16, FALSE, FALSE, "");
  check_refused ("an indexed image", subject, "indexed");

  subject = subject_in_locked_group (1);
  gimp_item_set_lock_content (gimp_item_get_parent (subject.drawable), FALSE);
  subject.drawable = gimp_item_get_parent (subject.drawable);
  check_refused ("a group layer", subject, "group");

  subject = subject_for ("locked", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 50, 40);
  gimp_item_set_lock_content (subject.drawable, TRUE);
  check_refused ("a locked layer", subject, "lock");

  subject = subject_for ("locked", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 50, 40);
  gimp_item_set_lock_content (subject.drawable, TRUE);
  subject.drawable = add_mask (subject);
  check_refused ("the mask of a locked layer", subject, "lock");

  subject = subject_for ("locked", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 50, 40);
  subject.drawable = add_channel (subject);
  gimp_item_set_lock_content (subject.drawable, TRUE);
  check_refused ("a locked channel", subject, "lock");

  subject = subject_for ("owner", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 50, 40);
  other = subject_for ("stranger", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 50, 40);
  check_refused ("an image that is not the drawable's", (Subject) { other.image, subject.drawable },
                 "image is");
  gimp_image_delete (subject.image);

  check_refused ("a child of a locked group", subject_in_locked_group (1), "lock");
  check_refused ("a grandchild of a locked group", subject_in_locked_group (2), "lock");
}

/* The device that is asked for */

static void
check_device (void)
{
  const char *name = "refused: device 1 without a GPU, saying what is missing";
  Subject subject = subject_for (name, GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 50, 40);
  Args gpu = plain;

  gpu.device = FX_DEVICE_GPU;
  if (subject_on_gpu (FX_DEVICE_GPU))
    {
      skip (name, "there is a GPU");
      report (blur_problem (subject, &gpu, NULL), "device 1");
    }
  else
    report_on (subject, refused_problem (subject, &gpu, "driver|NVRTC|architecture|CUDA toolkit"),
               "%s", name);
}

/* With CUDA_BLUR_DEVICE=gpu in the environment: it replaces device 0 and no other. */
void
cases_device_environment (void)
{
  Subject subject = subject_for ("environment", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 50, 40);
  Args args = plain;

  if (subject_on_gpu (FX_DEVICE_GPU))
    skip ("CUDA_BLUR_DEVICE=gpu makes device 0 fail without a GPU", "there is a GPU");
  else
    report (refused_problem (subject, &args, "driver|NVRTC|architecture|CUDA toolkit"),
            "CUDA_BLUR_DEVICE=gpu makes device 0 fail without a GPU");
  args.device = FX_DEVICE_CPU;
  report_on (subject, blur_problem (subject, &args, NULL),
             "CUDA_BLUR_DEVICE=gpu leaves device 2 alone");
}

void
cases_calls (void)
{
  check_run_modes ();
  check_script ();
  check_bad_arguments ();
  check_bad_drawables ();
  check_device ();
}

void
cases_device_failing (void)
{
  Subject subject = subject_for ("failing", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 40, 30);

  pid_t resident = need_resident ();

  report_on (subject, blur_problem (subject, &plain, NULL), "a blur that the GPU fails at");
  report (process_wait_end (resident, 60.0) ? NULL : g_strdup ("it runs on"),
          "the resident process, which has lost the GPU, ends");
  subject = subject_for ("failing", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 40, 30);
  report_on (subject, blur_problem (subject, &plain, NULL), "a blur after that");
}
