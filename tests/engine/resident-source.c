/* Sources that stay resident on a GPU: the results are the same, and only changed rows are read. */
#include "blur.h"
#include "resident-source.h"
#include "run.h"
#include "tested.h"

#define WIDTH  300
#define HEIGHT 700

typedef struct {
  FxImage image;
  guint8 *source, *result;
  gsize pixel;
  guint8 read[HEIGHT]; /* rows */
} Picture;

static gboolean
read_rows (gpointer data, const FxRect *rect, gpointer pixels, gsize stride, GError **error)
{
  Picture *picture = data;

  for (int y = 0; y < rect->height; y++)
    {
      picture->read[rect->y + y] = TRUE;
      memcpy ((char *) pixels + y * stride,
              picture->source + ((rect->y + y) * WIDTH + rect->x) * picture->pixel,
              rect->width * picture->pixel);
    }
  return TRUE;
}

static gboolean
write_rows (gpointer data, const FxRect *rect, gconstpointer pixels, gsize stride, GError **error)
{
  Picture *picture = data;

  for (int y = 0; y < rect->height; y++)
    memcpy (picture->result + ((rect->y + y) * WIDTH + rect->x) * picture->pixel,
            (const char *) pixels + y * stride, rect->width * picture->pixel);
  return TRUE;
}

static void
fill (Picture *picture, int y, int rows)
{
  gsize row = WIDTH * picture->pixel, i;

  for (i = y * row; i < (y + rows) * row; i++)
    picture->source[i] = (guint8) g_test_rand_int ();
}

static void
picture_init (Picture *picture, const FxFormat *format)
{
  *picture = (Picture) { .pixel = fx_format_size (format) };
  picture->image = (FxImage) { .format = *format,
                               .width = WIDTH,
                               .height = HEIGHT,
                               .region = { 0, 0, WIDTH, HEIGHT },
                               .resident = fx_resident_source_new (HEIGHT),
                               .read = read_rows,
                               .write = write_rows,
                               .data = picture };
  picture->source = g_malloc (WIDTH * HEIGHT * picture->pixel);
  picture->result = g_malloc (WIDTH * HEIGHT * picture->pixel);
  fill (picture, 0, HEIGHT);
}

static void
picture_clear (Picture *picture)
{
  fx_resident_source_free (picture->image.resident);
  g_free (picture->source);
  g_free (picture->result);
}

/* Runs it with the resident source, and then without: the bytes must be the same. Returns the
 * number of rows read. */
static int
run (Picture *picture, double sigma, const FxRect *region)
{
  const BlurParams params = { .sigma_x = sigma, .sigma_y = sigma };
  const gsize size = WIDTH * HEIGHT * picture->pixel;
  FxResidentSource *resident = picture->image.resident;
  g_autofree guint8 *result = NULL;
  g_autoptr (GError) error = NULL;
  int rows = 0, y;

  picture->image.region = *region;
  memset (picture->read, FALSE, HEIGHT);
  memset (picture->result, 0, size);
  run_blur (tested_engine (), &params, tested_device (), &picture->image, NULL, &error);
  g_assert_no_error (error);
  for (y = 0; y < HEIGHT; y++)
    rows += picture->read[y];
  result = g_memdup2 (picture->result, size);

  picture->image.resident = NULL;
  memset (picture->result, 0, size);
  run_blur (tested_engine (), &params, tested_device (), &picture->image, NULL, &error);
  g_assert_no_error (error);
  picture->image.resident = resident;
  g_assert_cmpmem (result, size, picture->result, size);
  return rows;
}

static const FxRect all = { 0, 0, WIDTH, HEIGHT };

/* A GPU reads what it does not have, in chunks; the CPU what the filter reaches. */
static void
check_rows (int rows, int on_gpu, int on_cpu)
{
  g_assert_cmpint (rows, ==, tested_device () == FX_DEVICE_GPU ? on_gpu : on_cpu);
}

static const FxFormat formats[] = {
  { FX_SAMPLE_U8, 4, TRUE },
  { FX_SAMPLE_U8, 3, TRUE },
  { FX_SAMPLE_FLOAT, 2, FALSE },
};

/* At another sigma, by the FIR and by multi-resolution. */
TEST (test_same_source, "/engine/resident/same-source")
{
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      Picture picture;

      picture_init (&picture, &formats[i]);
      check_rows (run (&picture, 2.0, &all), HEIGHT, HEIGHT);
      check_rows (run (&picture, 30.0, &all), 0, HEIGHT);
      check_rows (run (&picture, 3.0, &all), 0, HEIGHT);
      picture_clear (&picture);
    }
}

TEST (test_change, "/engine/resident/change")
{
  const FxRect part = { 100, 300, 50, 20 };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      Picture picture;
      int rows;

      picture_init (&picture, &formats[i]);
      check_rows (run (&picture, 20.0, &all), HEIGHT, HEIGHT);
      fill (&picture, 305, 10);
      fx_resident_source_change (picture.image.resident, 305, 10);
      rows = run (&picture, 2.0, &part);
      g_assert_true (rows >= 20 && rows <= 128); /* a chunk at the most */
      check_rows (run (&picture, 20.0, &all), 0, HEIGHT);
      fill (&picture, 690, 10);
      fx_resident_source_change (picture.image.resident, 690, 1000);
      fx_resident_source_change (picture.image.resident, -5, 5); /* none of the image's */
      check_rows (run (&picture, 5.0, &all), HEIGHT - 640, HEIGHT);
      picture_clear (&picture);
    }
}

/* A part first: the rest is read when it is needed. */
TEST (test_part, "/engine/resident/part")
{
  const FxRect part = { 10, 130, 200, 20 };
  Picture picture;
  int rows;

  picture_init (&picture, &formats[0]);
  rows = run (&picture, 2.0, &part);
  check_rows (run (&picture, 2.0, &part), 0, rows);
  run (&picture, 2.0, &all);
  check_rows (run (&picture, 30.0, &all), 0, HEIGHT);
  picture_clear (&picture);
}

/* One image at a time: another's takes its place. */
TEST (test_two_images, "/engine/resident/two-images")
{
  Picture pictures[2];

  for (int i = 0; i < 2; i++)
    picture_init (&pictures[i], &formats[0]);
  for (int i = 0; i < 4; i++)
    check_rows (run (&pictures[i % 2], 4.0 + i, &all), HEIGHT, HEIGHT);
  for (int i = 0; i < 2; i++)
    picture_clear (&pictures[i]);
}

/* A source that takes more than half of the memory does not stay resident; the bytes are the
 * same. */
TEST (test_little_memory, "/engine/resident/little-memory")
{
  Picture picture;

  picture_init (&picture, &formats[0]);
  g_setenv ("CUDA_BLUR_MEMORY_LIMIT", "1500000", TRUE);
  run (&picture, 2.0, &all);
  check_rows (run (&picture, 2.0, &all), HEIGHT, HEIGHT);
  g_setenv ("CUDA_BLUR_MEMORY_LIMIT", "3M", TRUE);
  run (&picture, 2.0, &all);
  check_rows (run (&picture, 3.0, &all), 0, HEIGHT);
  g_unsetenv ("CUDA_BLUR_MEMORY_LIMIT");
  picture_clear (&picture);
}
