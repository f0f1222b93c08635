#include "space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TOLERANCE 1e-5 /* babl approximates powers by polynomials with errors up to 7e-6 */
#define SAMPLES   256
#define TURNS     8
#define NUMBERS   7

/* Returns the curve of all three channels, or NULL if they differ. */
static const Babl *
get_trc (const Babl *space)
{
  const Babl *red, *green, *blue;
  double unused[8];

  babl_space_get (space, &unused[0], &unused[1], &unused[2], &unused[3], &unused[4], &unused[5],
                  &unused[6], &unused[7], &red, &green, &blue);
  return red == green && red == blue ? red : NULL;
}

/* Converts n grey samples from the space's curve to linear light. */
static void
sample (const Babl *space, const double *x, double *y, int n)
{
  const Babl *from = babl_format_with_space ("R'G'B' double", space);
  const Babl *to = babl_format_with_space ("RGB double", space);
  double pixels[SAMPLES][3];
  int i;

  for (i = 0; i < n; i++)
    pixels[i][0] = pixels[i][1] = pixels[i][2] = x[i];
  babl_process (babl_fish (from, to), pixels, pixels, n);
  for (i = 0; i < n; i++)
    y[i] = pixels[i][0];
}

/* Reads the numbers in a curve's name, the only way in which babl gives them, with few digits: one
 * number for a power, or g, a, b, c, d and maybe e and f for a formula. Returns how many there
 * are. */
static int
read_numbers (const char *name, double *numbers)
{
  int n;

  for (n = 0; n < NUMBERS; n++)
    {
      char *end;

      numbers[n] = g_ascii_strtod (name, &end);
      if (end == name)
        break;
      name = end;
    }
  return *name ? 0 : n;
}

/* Improves g, a and b by Newton's method until (a x + b)^g is y at three points. */
static void
space_refine (double *g, double *a, double *b, const double *x, const double *y)
{
  double rows[3][4], factor;
  int turn, i, k, column;

  for (turn = 0; turn < TURNS; turn++)
    {
      for (i = 0; i < 3; i++)
        {
          double base = MAX (*a * x[i] + *b, 1e-6), value = pow (base, *g);

          rows[i][0] = value * log (base);
          rows[i][1] = *g * value / base * x[i];
          rows[i][2] = *g * value / base;
          rows[i][3] = y[i] - value;
        }
      for (column = 0; column < 3; column++)
        for (k = 0; k < 3; k++)
          if (k != column)
            {
              factor = rows[k][column] / rows[column][column];
              for (i = column; i < 4; i++)
                rows[k][i] -= factor * rows[column][i];
            }
      *g += rows[0][3] / rows[0][0];
      *a += rows[1][3] / rows[1][1];
      *b += rows[2][3] / rows[2][2];
    }
}

/* Computes all digits of a formula's numbers. */
static void
make_formula (const Babl *space, double *numbers)
{
  const double low = numbers[4] / 2.0;
  const double x[] = { 1.0, 0.6, MAX (0.25, 1.2 * numbers[4]), low };
  double y[4];

  sample (space, x, y, 4);
  space_refine (&numbers[0], &numbers[1], &numbers[2], x, y);
  if (low > 0.0)
    numbers[3] = y[3] / low;
}

static double
space_apply (const FxTrc *trc, double x)
{
  return x >= trc->d ? pow (trc->a * x + trc->b, trc->g) + trc->e : trc->c * x + trc->f;
}

/* Returns whether trc is the space's curve, to the accuracy of babl's samples. */
static gboolean
fits (const FxTrc *trc, const Babl *space)
{
  double x[SAMPLES], y[SAMPLES];
  int i;

  for (i = 0; i < SAMPLES; i++)
    x[i] = i / (SAMPLES - 1.0);
  sample (space, x, y, SAMPLES);
  for (i = 0; i < SAMPLES; i++)
    if (! (fabs (space_apply (trc, x[i]) - y[i]) <= TOLERANCE)) /* true also for NaN */
      return FALSE;
  return TRUE;
}

SpaceCurve
space_get_curve (const Babl *space, FxTrc *trc)
{
  const Babl *curve = get_trc (space);
  double n[NUMBERS] = { 0.0 };
  int count;

  *trc = (FxTrc) { 0 };
  if (! curve)
    return SPACE_OTHER;
  if (curve == babl_trc ("sRGB"))
    return SPACE_PARAMETRIC;
  if (curve == babl_trc ("linear"))
    return SPACE_LINEAR;
  count = read_numbers (babl_get_name (curve), n);
  if (count == 1)
    n[1] = 1.0;
  else if (count >= 5 && n[5] == 0.0 && n[6] == 0.0)
    make_formula (space, n);
  else
    return SPACE_OTHER;
  *trc = (FxTrc) { n[0], n[1], n[2], n[3], n[4], n[5], n[6] };
  return fits (trc, space) ? SPACE_PARAMETRIC : SPACE_OTHER;
}
