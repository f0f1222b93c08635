#include "naive.h"

#include "bench-kernels.h" /* generated from bench.gresource.xml */

#include <gio/gio.h>
#include <math.h>

#define SCALE 65536 /* what the weights add up to, nearly: rounding moves it */

/* size * size of them; total: their sum. */
static int *
make_weights (int size, double sigma, int *total)
{
  int *weights = g_new (int, size *size);
  int radius = size / 2;
  double sum = 0.0;

  for (int k = -radius; k <= radius; k++)
    sum += exp (-k * k / (2.0 * sigma * sigma));
  *total = 0;
  for (int i = 0; i < size * size; i++)
    {
      int x = i % size - radius, y = i / size - radius;

      weights[i] = (int) nearbyint (SCALE * exp (-(x * x + y * y) / (2.0 * sigma * sigma)) /
                                    (sum * sum));
      *total += weights[i];
    }
  return weights;
}

char *
naive_get_source (int size, double sigma)
{
  int total;
  g_autofree int *weights = make_weights (size, sigma, &total);
  g_autoptr (GBytes) kernel = g_resource_lookup_data (bench_kernels_get_resource (),
                                                      "/org/gimp/cuda-blur/bench/naive.cu",
                                                      G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  GString *source = g_string_new (NULL);

  g_assert (kernel); /* built in */
  g_string_append_printf (source, "#define SIZE %d\n#define TOTAL %d\n#define WEIGHTS", size,
                          total);
  for (int i = 0; i < size * size; i++)
    g_string_append_printf (source, "%s %d", i ? "," : "", weights[i]);
  g_string_append_c (source, '\n');
  g_string_append (source, g_bytes_get_data (kernel, NULL)); /* it ends with a zero byte */
  return g_string_free (source, FALSE);
}

static void
blur_pixel (int size, const int *weights, int total, const guint8 *in, int x, int y, int width,
            int height, guint8 *out)
{
  int sum[3] = { 0, 0, 0 };

  for (int v = 0; v < size; v++)
    for (int u = 0; u < size; u++)
      {
        int from_x = CLAMP (x + u - size / 2, 0, width - 1);
        int from_y = CLAMP (y + v - size / 2, 0, height - 1);
        const guint8 *pixel = in + 3 * (from_y * width + from_x);

        for (int c = 0; c < 3; c++)
          sum[c] += weights[v * size + u] * pixel[c];
      }
  for (int c = 0; c < 3; c++)
    out[c] = (guint8) ((sum[c] + total / 2) / total);
}

void
naive_blur (int size, double sigma, const guint8 *in, guint8 *out, int width, int height)
{
  int total;
  g_autofree int *weights = make_weights (size, sigma, &total);

  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      blur_pixel (size, weights, total, in, x, y, width, height, out + 3 * (y * width + x));
}
