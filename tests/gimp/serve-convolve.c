#include "serve-convolve.h"

#include <stdio.h>

#include "convolution.h"
#include "matrix-text.h"
#include "../lib/correlation.h"

/* A copy of the layer as it was; deletes it. */
static Raster *
apply (const ServeImage *image, const Convolution *convolution, char **message)
{
  Subject copy = { gimp_image_duplicate (image->subject.image) };
  GimpPDBStatusType status;
  Raster *result = NULL;

  copy.drawable = gimp_image_get_active_layer (copy.image);
  subject_write (copy.drawable, image->original);
  if (convolution_apply (copy, GIMP_RUN_NONINTERACTIVE, convolution, &status, message))
    result = subject_read (copy.drawable);
  gimp_image_delete (copy.image);
  return result;
}

char *
serve_convolve_check (ServeImage *image, const char *what)
{
  Convolution convolution = { 0 };
  ConvolveParams params;
  g_autoptr (FilterMatrix) matrix = NULL;
  g_autoptr (Raster) expected = NULL, pixels = subject_read (image->subject.drawable);
  char *message = NULL;
  int text = 0;

  if (! what || sscanf (what, "%lf %lf %d %d %d %d %n", &convolution.divisor, &convolution.offset,
                        &convolution.channels, &convolution.weighting, &convolution.abyss,
                        &convolution.light, &text) < 6)
    return g_strdup ("convolved how?");
  matrix = matrix_text_parse (what + text, -1, CONVOLVE_SIZE_MAX, NULL);
  if (! matrix)
    return g_strdup ("by which matrix?");
  convolution.rows = matrix->rows;
  convolution.columns = matrix->columns;
  convolution.count = matrix->n_values;
  convolution.values = matrix->values;
  expected = apply (image, &convolution, &message);
  params = convolution_params (image->subject.drawable, &convolution);
  if (expected)
    message = subject_differs (pixels, expected, convolution.device, raster_range (image->original),
                               2.0 * correlation_get_gain (&params));
  return message ? message : g_strdup ("ok");
}
