/* The refusals of the convolution matrix within GIMP: one sentence, no change and no undo step. */
#include "cases.h"
#include "convolution.h"

static const double soft[9] = { 1, 2, 1, 3, 5, 2, 1, 2, 4 };

static char *
refused_problem (Subject subject, const Convolution *convolution, const char *sentence)
{
  Attempt attempt = attempt_begin (subject);

  convolution_apply (subject, GIMP_RUN_NONINTERACTIVE, convolution, &attempt.status,
                     &attempt.message);
  return attempt_refused_problem (&attempt, sentence);
}

static void
check_refused (const Convolution *convolution, const char *sentence)
{
  Subject subject = subject_for ("refused", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 50, 40);

  report_on (subject, refused_problem (subject, convolution, sentence), "convolve: refused: %s",
             sentence);
}

#define NINE .rows = 3, .columns = 3, .count = 9

static void
check_bad_arguments (void)
{
  static const double large[9] = { 3e38, 3e38 }, beyond[9] = { 0, 1e39 };
  static const struct {
    Convolution convolution;
    const char *sentence;
  } bad[] = {
    { { 3, 3, 8, soft }, "There are 8 values, but 9 are needed for 3 rows of 3 columns" },
    { { 3, 5, 9, soft }, "There are 9 values, but 15 are needed for 3 rows of 5 columns" },
    { { 3, 3, 0, soft }, "There are 0 values, but 9 are needed" },
    { { 2, 3, 6, soft }, "rows is 2, but must be an odd number from 1 to 1023" },
    { { 3, 2, 6, soft }, "columns is 2, but must be an odd number from 1 to 1023" },
    { { 1025, 1, 9, soft }, "rows is 1025, but must be an odd number from 1 to 1023" },
    { { -1, -9, 9, soft }, "rows is -1, but must be an odd number from 1 to 1023" },
    { { 0 }, "rows is 0, but must be an odd number from 1 to 1023" },
    { { NINE, .values = beyond }, "The value in row 1, column 2 is 1e+39" },
    { { NINE, .values = large, .divisor = 0.5 },
      "divisor is 0.5, which makes the values infinite" },
    { { NINE, .values = soft, .divisor = 1e-38 },
      "divisor is 1e-38, which makes the values infinite" },
    { { NINE, .values = soft, .divisor = 1e39 }, "divisor is 1e+39" },
    { { NINE, .values = soft, .offset = 1e39 }, "offset is 1e+39" },
    { { NINE, .values = soft, .channels = 16 }, "channels is 16, but must be a sum of 1 (red)" },
    { { NINE, .values = soft, .channels = -1 }, "channels is -1" },
    { { NINE, .values = soft, .weighting = 3 }, "alpha-weighting is 3, but must be 0 (automatic)" },
    { { NINE, .values = soft, .abyss = 4 }, "abyss is 4, but must be 0 (clamp)" },
    { { NINE, .values = soft, .light = 2 }, "light is 2, but must be 0 (linear)" },
    { { NINE, .values = soft, .device = 3 }, "device is 3, but must be 0 (automatic)" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    check_refused (&bad[i].convolution, bad[i].sentence);
  check_refused (NULL, "was given 3 arguments, but must be given 14");
}

/* GIMP lets what is not a number through in arrays. */
static void
check_not_finite (void)
{
  const double nan[9] = { 1, 2, 3, 4, 5, NAN }, infinite[9] = { 0, 0, -INFINITY };

  check_refused (&(Convolution) { NINE, .values = nan }, "The value in row 2, column 3 is nan");
  check_refused (&(Convolution) { NINE, .values = infinite },
                 "The value in row 1, column 3 is -inf");
}

static void
check_locked (void)
{
  Subject subject = subject_for ("locked", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 50, 40);
  const Convolution convolution = { NINE, .values = soft };

  gimp_item_set_lock_content (subject.drawable, TRUE);
  report_on (subject, refused_problem (subject, &convolution, "whose pixels are locked"),
             "convolve: refused: a locked layer");
}

void
cases_convolve_refusals (void)
{
  check_bad_arguments ();
  check_not_finite ();
  check_locked ();
}
