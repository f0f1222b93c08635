/* Images in memory: the CPU needs no callbacks where it can have whole rows, and gives the same. */
#include "run.h"
#include "tested.h"

#define WIDTH  200
#define HEIGHT 300
#define PIXEL  4 /* bytes */
#define SIZE   ((gsize) WIDTH * HEIGHT * PIXEL)

typedef struct {
  FxImage image;
  guint8 source[SIZE], result[SIZE]; /* result: the region's rows without padding */
  int reads, writes;
} Picture;

static gboolean
read_rows (gpointer data, const FxRect *rect, gpointer pixels, gsize stride, GError **error)
{
  Picture *picture = data;

  picture->reads++;
  for (int y = 0; y < rect->height; y++)
    memcpy ((char *) pixels + y * stride,
            picture->source + ((rect->y + y) * WIDTH + rect->x) * PIXEL, rect->width * PIXEL);
  return TRUE;
}

static gboolean
write_rows (gpointer data, const FxRect *rect, gconstpointer pixels, gsize stride, GError **error)
{
  Picture *picture = data;
  const FxRect *region = &picture->image.region;

  picture->writes++;
  for (int y = 0; y < rect->height; y++)
    memcpy (picture->result +
              ((rect->y + y - region->y) * region->width + rect->x - region->x) * PIXEL,
            (const char *) pixels + y * stride, rect->width * PIXEL);
  return TRUE;
}

/* Returns the result, for which source and result tell whether the image names its memory. */
static gpointer
run (Picture *picture, double sigma, const char *limit, gboolean source, gboolean result)
{
  const BlurParams params = { .sigma_x = sigma, .sigma_y = sigma };
  g_autoptr (GError) error = NULL;

  picture->image.source = source ? picture->source : NULL;
  picture->image.result = result ? picture->result : NULL;
  picture->reads = picture->writes = 0;
  memset (picture->result, 0x5a, SIZE);
  if (limit)
    g_setenv ("CUDA_BLUR_MEMORY_LIMIT", limit, TRUE);
  run_blur (tested_engine (), &params, tested_device (), &picture->image, NULL, &error);
  g_unsetenv ("CUDA_BLUR_MEMORY_LIMIT");
  g_assert_no_error (error);
  return g_memdup2 (picture->result, SIZE);
}

TEST (test_in_place, "/engine/in-place")
{
  static const struct {
    FxRect region;
    const char *limit;
    double sigma;
    gboolean reads, writes; /* the CPU's calls although the image names its memory */
  } cases[] = {
    { { 0, 0, WIDTH, HEIGHT }, NULL, 2.0, FALSE, FALSE },
    { { 0, 0, WIDTH, HEIGHT }, NULL, 40.0, FALSE, FALSE },
    { { 0, 131, WIDTH, 7 }, NULL, 2.0, FALSE, FALSE },
    { { 60, 9, 50, 200 }, NULL, 2.0, TRUE, FALSE },
    { { 60, 9, 50, 200 }, NULL, 40.0, FALSE, FALSE },
    { { 0, 0, WIDTH, HEIGHT }, "100K", 2.0, TRUE, TRUE },
    { { 0, 0, WIDTH, HEIGHT }, NULL, 0.0, TRUE, TRUE },
  };
  const gboolean cpu = tested_device () == FX_DEVICE_CPU;
  g_autofree Picture *picture = g_new0 (Picture, 1);

  for (gsize i = 0; i < SIZE; i++)
    picture->source[i] = (guint8) g_test_rand_int ();
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree gpointer expected = NULL;

      if (cases[i].limit && ! cpu) /* refuses so little */
        continue;
      picture->image = (FxImage) { .format = { FX_SAMPLE_U8, 4, TRUE },
                                   .width = WIDTH,
                                   .height = HEIGHT,
                                   .region = cases[i].region,
                                   .read = read_rows,
                                   .write = write_rows,
                                   .data = picture };
      expected = run (picture, cases[i].sigma, cases[i].limit, FALSE, FALSE);
      for (int k = 1; k < 4; k++)
        {
          g_autofree gpointer got = run (picture, cases[i].sigma, cases[i].limit, k & 1, k & 2);

          g_assert_cmpmem (got, SIZE, expected, SIZE);
          g_assert_cmpint (picture->reads > 0, ==, ! (cpu && k & 1) || cases[i].reads);
          g_assert_cmpint (picture->writes > 0, ==, ! (cpu && k & 2) || cases[i].writes);
        }
    }
}
