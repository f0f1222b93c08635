#include "fit.h"

#include <math.h>

/* A 16-bit table rounds by up to 7.6e-6, and babl approximates powers with errors up to 7e-6. */
#define TOLERANCE 1e-5
#define TURNS     30
#define NO_CHANGE 1e-8

/* A curve in the form of FxTrc without e and f. */
typedef struct {
  double g, a, b, c, d;
} Formula;

typedef struct {
  double stored[FIT_SAMPLES], light[FIT_SAMPLES];
} Samples;

static void
take_samples (const FitCurve *curve, Samples *samples)
{
  for (int i = 0; i < FIT_SAMPLES; i++)
    samples->stored[i] = i / (FIT_SAMPLES - 1.0);
  curve->get_light (curve->data, samples->stored, samples->light, FIT_SAMPLES);
}

static double
power (const Formula *formula, double stored)
{
  return pow (MAX (formula->a * stored + formula->b, 0.0), formula->g);
}

/* Returns whether all samples are the formula's. */
static gboolean
fits (const Formula *formula, const Samples *samples)
{
  for (int i = 0; i < FIT_SAMPLES; i++)
    {
      double stored = samples->stored[i];
      double light = stored >= formula->d ? power (formula, stored) : formula->c * stored;

      if (! (fabs (light - samples->light[i]) <= TOLERANCE)) /* true also for NaN */
        return FALSE;
    }
  return TRUE;
}

/* Solves n linear equations for the corrections of the numbers. Returns whether they changed. */
static gboolean
correct (double rows[3][4], int n, double *const *numbers)
{
  gboolean changed = FALSE;

  for (int column = 0; column < n; column++)
    for (int row = 0; row < n; row++)
      if (row != column)
        {
          double factor = rows[row][column] / rows[column][column];

          for (int i = column; i < 4; i++)
            rows[row][i] -= factor * rows[column][i];
        }
  for (int row = 0; row < n; row++)
    {
      double change = rows[row][3] / rows[row][row];

      *numbers[row] += change;
      changed = changed || fabs (change) > NO_CHANGE;
    }
  return changed;
}

/* Adds a sample's part to the equations of the Gauss-Newton method. */
static void
add_sample (double rows[3][4], int n, const Formula *formula, double stored, double light)
{
  double base = MAX (formula->a * stored + formula->b, 1e-6);
  double value = pow (base, formula->g), slope = formula->g * value / base;
  const double slopes[] = { value * log (base), slope * stored, slope };

  for (int row = 0; row < n; row++)
    {
      for (int column = 0; column < n; column++)
        rows[row][column] += slopes[row] * slopes[column];
      rows[row][3] += slopes[row] * (light - value);
    }
}

/* Improves g, or g, a and b if n is 3, until the squares of the errors of (a x + b)^g over the
 * samples from first on have the least sum. */
static void
refine (Formula *formula, int n, const Samples *samples, int first)
{
  double *const numbers[] = { &formula->g, &formula->a, &formula->b };
  gboolean changed = TRUE;

  for (int turn = 0; turn < TURNS && changed; turn++)
    {
      double rows[3][4] = { { 0.0 } };

      for (int i = first; i < FIT_SAMPLES; i++)
        add_sample (rows, n, formula, samples->stored[i], samples->light[i]);
      changed = correct (rows, n, numbers);
    }
}

/* Returns how many samples after the first lie on a straight line from 0, and sets slope to its
 * slope. Some samples after the end of a toe may seem to lie on it, so the last ones do not count
 * for the slope. */
static int
measure_toe (const Samples *samples, double *slope)
{
  double squares = 0.0, products = 0.0, slopes[FIT_SAMPLES] = { 0.0 };
  int n, i;

  for (n = 1; n < FIT_SAMPLES; n++)
    {
      squares += samples->stored[n] * samples->stored[n];
      products += samples->stored[n] * samples->light[n];
      slopes[n] = products / squares;
      for (i = 0; i <= n; i++)
        if (! (fabs (slopes[n] * samples->stored[i] - samples->light[i]) <= 2.0 * TOLERANCE))
          break;
      if (i <= n)
        break;
    }
  *slope = slopes[(n - 1) * 3 / 4];
  return n - 1;
}

/* Sets d to where the curve leaves its toe. The definitions of some curves are so rounded that the
 * two segments do not quite meet. */
static void
find_end_of_toe (const FitCurve *curve, double low, double high, Formula *formula)
{
  for (int turn = 0; turn < TURNS; turn++)
    {
      double light;

      formula->d = (low + high) / 2.0;
      curve->get_light (curve->data, &formula->d, &light, 1);
      if (fabs (formula->c * formula->d - light) <= fabs (power (formula, formula->d) - light))
        low = formula->d;
      else
        high = formula->d;
    }
}

static gboolean
find_formula (const FitCurve *curve, const Samples *samples, Formula *formula)
{
  int toe;

  *formula = (Formula) { .g = 2.0, .a = 1.0 };
  refine (formula, 1, samples, 1);
  if (fits (formula, samples))
    return TRUE;
  *formula = (Formula) { .g = 2.2, .a = 0.95, .b = 0.05 };
  toe = measure_toe (samples, &formula->c);
  refine (formula, 3, samples, toe + 1);
  find_end_of_toe (curve, 0.0, samples->stored[MIN (toe + 1, FIT_SAMPLES - 1)], formula);
  return fits (formula, samples);
}

/* Returns whether the engine supports the formula. */
static gboolean
take_formula (const Formula *formula, FxTrc *trc)
{
  FxFormat format = { .sample = FX_SAMPLE_FLOAT, .channels = 1, .gamma = TRUE };

  format.trc = (FxTrc) { .g = (float) formula->g,
                         .a = (float) formula->a,
                         .b = (float) formula->b,
                         .c = (float) formula->c,
                         .d = (float) formula->d };
  *trc = format.trc;
  return fx_format_check (&format, NULL);
}

static gboolean
make_table (const FitCurve *curve, FxTrc *trc, GError **error)
{
  float values[FX_TRC_ENTRIES];
  double stored[FIT_SAMPLES], light[FIT_SAMPLES];

  for (int first = 0; first < FX_TRC_ENTRIES; first += FIT_SAMPLES)
    {
      for (int i = 0; i < FIT_SAMPLES; i++)
        stored[i] = (first + i) / (FX_TRC_ENTRIES - 1.0);
      curve->get_light (curve->data, stored, light, FIT_SAMPLES);
      for (int i = 0; i < FIT_SAMPLES; i++)
        values[first + i] = (float) light[i];
    }
  *trc = (FxTrc) { .table = fx_trc_table_get (values, error) };
  return trc->table != NULL;
}

gboolean
fit_is_same (const FitCurve *a, const FitCurve *b)
{
  Samples first, second;

  take_samples (a, &first);
  take_samples (b, &second);
  for (int i = 0; i < FIT_SAMPLES; i++)
    if (! (fabs (first.light[i] - second.light[i]) <= TOLERANCE))
      return FALSE;
  return TRUE;
}

gboolean
fit_trc (const FitCurve *curve, FxTrc *trc, GError **error)
{
  static const Formula srgb = { 2.4, 1.0 / 1.055, 0.055 / 1.055, 1.0 / 12.92, 0.04045 };
  Samples samples;
  Formula formula;

  take_samples (curve, &samples);
  *trc = (FxTrc) { 0 };
  if (fits (&srgb, &samples))
    return TRUE;
  if (find_formula (curve, &samples, &formula) && take_formula (&formula, trc))
    return TRUE;
  return make_table (curve, trc, error);
}

void
fit_set_trc (FxFormat *format, const FxTrc *trc)
{
  gboolean straight = ! trc->table && fabsf (trc->g - 1.0f) < TOLERANCE && trc->d == 0.0f;

  format->trc = (FxTrc) { 0 };
  if (! straight)
    format->trc = *trc;
  format->gamma = format->gamma && ! straight;
}
