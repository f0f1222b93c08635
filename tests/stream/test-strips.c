/* Strips and chunks by themselves: layouts of any region under any limit of memory. */
#include "test.h"
#include "backend.h"

/* The input of a layout: the reach along each axis, and the image. */
typedef struct {
  int reach_x, reach_y;
  FxImage image;
  int chunk_rows; /* at least */
} Subject;

static FxReach
get_reach (const Subject *s)
{
  return (FxReach) { s->reach_x, s->reach_x, s->reach_y, s->reach_y };
}

static int
get_ring_rows (const Subject *s, const FxStrip *strip)
{
  const FxReach reach = get_reach (s);

  return fx_strip_get_ring_rows (strip, &reach);
}

static gsize
get_strip_bytes (const Subject *s, const FxStrip *strip)
{
  gsize width = strip->source_x1 - strip->source_x0;

  return width * (get_ring_rows (s, strip) + strip->chunk_rows) * fx_format_size (&s->image.format);
}

static gsize
get_bytes (gconstpointer data, const FxPlan *plan, const FxStrip *strip)
{
  return get_strip_bytes (data, strip);
}

static int asked; /* rows of a chunk */

static int
get_chunk_rows (const FxPlan *plan)
{
  return asked;
}

static FxLayout
choose_layout (const Subject *s, const FxPlan *plan, int chunk_rows, gsize limit)
{
  static const FxBackend backend = { .get_chunk_rows = get_chunk_rows, .get_bytes = get_bytes };

  asked = chunk_rows;
  return fx_layout_new (&backend, s, plan, &s->image, FALSE, limit);
}

static FxLayout
get_layout (const Subject *s, gsize limit)
{
  const FxPlan plan = { .reach = get_reach (s) };

  return choose_layout (s, &plan, s->chunk_rows, limit);
}

static FxStrip
get_strip (const Subject *s, const FxLayout *layout, int x)
{
  const FxReach reach = get_reach (s);

  return fx_layout_get_strip (layout, &reach, &s->image, x);
}

/* The rows that the ring must hold while the pipeline computes a chunk of the result: the source is
 * pushed by whole chunks. */
static void
check_ring (const Subject *s, const FxLayout *layout, const FxStrip *strip)
{
  const int y0 = s->image.region.y, y1 = y0 + s->image.region.height;
  const gint64 source_end = MIN ((gint64) s->image.height, y1 + (gint64) s->reach_y);
  int end;

  for (int y = y0; y < y1; y = end)
    {
      const gint64 low = MAX (0, y - (gint64) s->reach_y);
      gint64 high;

      end = MIN (y1, (y / layout->chunk_rows + 1) * layout->chunk_rows);
      high = MIN (source_end, end + (gint64) s->reach_y);
      high = MIN (source_end,
                  (high + layout->chunk_rows - 1) / layout->chunk_rows * layout->chunk_rows);
      g_assert_cmpint (high - low, <=, get_ring_rows (s, strip));
    }
}

/* The strips cover the region once, from the left on, with the source that each needs. */
static void
check_strips (const Subject *s, const FxLayout *layout)
{
  const FxRect *r = &s->image.region;
  FxStrip strip;
  int x;

  for (x = r->x; x < r->x + r->width; x = strip.x1)
    {
      strip = get_strip (s, layout, x);
      g_assert_cmpint (strip.x0, ==, x);
      g_assert_cmpint (strip.x1, >, x);
      g_assert_cmpint (strip.x1 - x, <=, layout->strip_width);
      if (strip.x1 < r->x + r->width)
        g_assert_cmpint (strip.x1 - x, ==, layout->strip_width);
      g_assert_cmpint (strip.y0, ==, r->y);
      g_assert_cmpint (strip.y1, ==, r->y + r->height);
      g_assert_cmpint (strip.source_x0, ==, MAX (0, x - s->reach_x));
      g_assert_cmpint (strip.source_x1, ==, MIN (s->image.width, strip.x1 + s->reach_x));
      g_assert_cmpint (strip.source_y0, ==, MAX (0, r->y - s->reach_y));
      g_assert_cmpint (strip.source_y1, ==, MIN (s->image.height, strip.y1 + s->reach_y));
      g_assert_cmpint (strip.width, ==, s->image.width);
      g_assert_cmpint (strip.height, ==, s->image.height);
      g_assert_cmpint (strip.chunk_rows, ==, layout->chunk_rows);
      g_assert_cmpint (fx_strip_get_columns (&strip).first, ==, strip.source_x0);
      g_assert_cmpint (fx_strip_get_columns (&strip).count, ==, strip.source_x1 - strip.source_x0);
      g_assert_cmpint (fx_strip_get_rows (&strip).first, ==, strip.source_y0);
      g_assert_cmpint (fx_strip_get_rows (&strip).count, ==, strip.source_y1 - strip.source_y0);
      check_ring (s, layout, &strip);
    }
  g_assert_cmpint (x, ==, r->x + r->width);
}

/* A layout exceeds the limit only if the smallest one does, and then not by much more than that. */
static void
check_least (const Subject *s, const FxLayout *layout, gsize limit)
{
  const FxRect *r = &s->image.region;
  const FxLayout smallest = { .strip_width = MIN (64, r->width), .chunk_rows = 4 };
  const FxStrip strip = get_strip (s, &smallest, r->x + (r->width - smallest.strip_width) / 2);
  const gsize least = get_strip_bytes (s, &strip);

  if (layout->bytes <= limit)
    return;
  g_assert_cmpuint (least, >, limit);
  g_assert_true (layout->bytes <= least / 4 * 5 + 4 || layout->strip_width <= 64);
}

static void
choose_subject (Subject *s, int side)
{
  FxRect *r = &s->image.region;

  *s = (Subject) {
    .reach_x = g_test_rand_int_range (0, 541),
    .reach_y = g_test_rand_int_range (0, 541),
    .image = { .format = { g_test_rand_int_range (0, 6), g_test_rand_int_range (1, 5), TRUE },
               .width = g_test_rand_int_range (1, side),
               .height = g_test_rand_int_range (1, side) },
  };
  r->x = g_test_rand_int_range (0, s->image.width);
  r->y = g_test_rand_int_range (0, s->image.height);
  r->width = g_test_rand_int_range (1, s->image.width - r->x + 1);
  r->height = g_test_rand_int_range (1, s->image.height - r->y + 1);
}

/* If a chunk costs as much with fewer rows, strips become narrower instead. */
TEST (test_worthwhile, "/strips/worthwhile")
{
  const FxFormat format = { FX_SAMPLE_U8, 4, TRUE };
  const Subject subject = {
    500, 500, { .width = 20000, .height = 4000, .format = format, .region = { 0, 0, 20000, 4000 } }
  };
  const gsize limit = 90 << 20;
  FxPlan plan = { .reach = get_reach (&subject) };
  FxLayout plain, layout;

  plain = choose_layout (&subject, &plan, 0, limit);
  plan.reach.worthwhile_rows = 1001;
  layout = choose_layout (&subject, &plan, 0, limit);
  g_assert_cmpint (layout.chunk_rows, >, plain.chunk_rows);
  g_assert_cmpint (layout.strip_width, <, plain.strip_width);
  g_assert_true (layout.bytes <= limit);
}

/* Memory is saved by chunks of fewer rows first, as long as there are enough of them. */
TEST (test_asked, "/strips/asked")
{
  const FxFormat format = { FX_SAMPLE_FLOAT, 4, FALSE };
  const Subject subject = {
    500, 500, { .width = 3000, .height = 4000, .format = format, .region = { 0, 0, 3000, 4000 } }
  };
  FxPlan plan = { .reach = get_reach (&subject) };
  FxLayout layout;

  plan.reach.worthwhile_rows = 400;
  layout = choose_layout (&subject, &plan, 1024, G_MAXSIZE);
  g_assert_cmpint (layout.chunk_rows, ==, 1024);
  layout = choose_layout (&subject, &plan, 1024, layout.bytes - 1);
  g_assert_cmpint (layout.chunk_rows, ==, 512);
  g_assert_cmpint (layout.strip_width, ==, 3000);
  layout = choose_layout (&subject, &plan, 1024, layout.bytes - 1);
  g_assert_cmpint (layout.chunk_rows, ==, 512);
  g_assert_cmpint (layout.strip_width, <, 3000);
  layout = choose_layout (&subject, &plan, 4096, G_MAXSIZE);
  g_assert_cmpint (layout.chunk_rows, ==, 1024); /* 64 MB */
  layout = choose_layout (&subject, &plan, 0, G_MAXSIZE);
  g_assert_cmpint (layout.chunk_rows, ==, 128);
}

TEST (test_random, "/strips/random")
{
  for (int i = 0; i < 20000; i++)
    {
      const gsize limit = (gsize) 1 << g_test_rand_int_range (16, 33);
      FxLayout layout;
      Subject s;

      choose_subject (&s, 9000);
      s.chunk_rows = g_test_rand_bit () ? 1 << g_test_rand_int_range (0, 11) : 0;
      layout = get_layout (&s, limit);
      g_assert_cmpint (layout.chunk_rows & (layout.chunk_rows - 1), ==, 0);
      g_assert_cmpint (layout.chunk_rows, >=, 4);
      g_assert_cmpint (layout.chunk_rows, <=, MAX (s.chunk_rows, 128));
      check_least (&s, &layout, limit);
      check_strips (&s, &layout);
    }
}

/* With memory enough: one strip, and chunks as high as a tile of GIMP's or as a band may be. */
TEST (test_enough, "/strips/enough")
{
  static const struct {
    int width, channels;
    FxSample sample;
    int chunk_rows;
  } cases[] = {
    { 1, 1, FX_SAMPLE_U8, 128 },
    { 32768, 4, FX_SAMPLE_U8, 128 }, /* 16 MiB a band, just so */
    { 32769, 4, FX_SAMPLE_U8, 64 },
    { 32768, 4, FX_SAMPLE_DOUBLE, 16 },
    { FX_SIZE_MAX, 4, FX_SAMPLE_DOUBLE, 4 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const Subject s = {
        .reach_x = 7,
        .reach_y = 9,
        .image = { .format = { cases[i].sample, cases[i].channels, TRUE },
                   .width = cases[i].width,
                   .height = 1000,
                   .region = { 0, 0, cases[i].width, 1000 } },
      };
      const FxLayout layout = get_layout (&s, G_MAXSIZE);
      const FxStrip strip = get_strip (&s, &layout, 0);

      g_assert_cmpint (layout.strip_width, ==, cases[i].width);
      g_assert_cmpint (layout.chunk_rows, ==, cases[i].chunk_rows);
      g_assert_cmpuint (layout.bytes, ==, get_strip_bytes (&s, &strip));
      check_strips (&s, &layout);
    }
}

/* Under a limit, chunks become lower first, then strips narrower; the layout is the largest that
 * the limit allows. */
TEST (test_limits, "/strips/limits")
{
  const Subject s = {
    .reach_x = 20,
    .reach_y = 20,
    .image = { .format = { FX_SAMPLE_U8, 4, TRUE },
               .width = 3000,
               .height = 3000,
               .region = { 0, 0, 3000, 3000 } },
  };
  FxLayout last = get_layout (&s, G_MAXSIZE);
  int steps = 0;

  g_assert_cmpint (last.strip_width, ==, 3000);
  while (last.strip_width > 64)
    {
      const FxLayout same = get_layout (&s, last.bytes);
      const FxLayout next = get_layout (&s, last.bytes - 1);

      g_assert_cmpint (same.strip_width, ==, last.strip_width);
      g_assert_cmpint (same.chunk_rows, ==, last.chunk_rows);
      g_assert_cmpuint (next.bytes, <, last.bytes);
      if (last.chunk_rows > 4)
        {
          g_assert_cmpint (next.chunk_rows, ==, last.chunk_rows / 2);
          g_assert_cmpint (next.strip_width, ==, last.strip_width);
        }
      else
        g_assert_cmpint (next.strip_width, ==, MAX (64, (last.strip_width + 1) / 2));
      last = next;
      steps++;
    }
  g_assert_cmpint (steps, ==, 5 + 6);
}

/* A reach that differs from place to place: half of the way to the picture's place. */
static FxRect
find_source (gconstpointer data, const FxRect *result)
{
  const FxGeometry *place = data;

  return fx_rect_between ((result->x + (int) place->x) / 2, (result->y + (int) place->y) / 2,
                          (gint64) result->x + result->width, (gint64) result->y + result->height);
}

/* Each strip has the source that it needs, and none needs more memory than the layout says. */
TEST (test_places, "/strips/places")
{
  const FxGeometry place = { 100.0, 200.0, 0.0, 0.0 };
  const FxPlan plan = { .reach = { .find_source = find_source, .data = &place } };
  const Subject s = {
    .image = { .format = { FX_SAMPLE_U8, 4, TRUE },
               .width = 3000,
               .height = 1000,
               .x = -50,
               .y = 150,
               .region = { 400, 100, 2000, 500 } },
  };
  const gsize limit = 80000;
  const FxLayout layout = choose_layout (&s, &plan, 0, limit);
  int most = 0;

  g_assert_cmpint (layout.strip_width, <, 2000);
  g_assert_cmpuint (layout.bytes, <=, limit);
  for (int x = 400; x < 2400; x += layout.strip_width)
    {
      const FxStrip strip = fx_layout_get_strip (&layout, &plan.reach, &s.image, x);
      const FxSpan rows = fx_strip_get_source_rows (&strip, &plan.reach, 300, 310);

      g_assert_cmpint (strip.source_x0, ==, (x + 50) / 2 + 50);
      g_assert_cmpint (strip.source_x1, ==, strip.x1);
      g_assert_cmpint (strip.source_y0, ==, 75);
      g_assert_cmpint (strip.source_y1, ==, 600);
      g_assert_cmpint (rows.first, ==, 175);
      g_assert_cmpint (rows.count, ==, 135);
      g_assert_cmpuint (get_strip_bytes (&s, &strip), <=, layout.bytes);
      most = MAX (most, strip.source_x1 - strip.source_x0);
    }
  g_assert_cmpint (fx_layout_get_source_columns (&layout, &plan.reach, &s.image), ==, most);
}

/* The last corner of the largest image, with the longest reach: sums must not overflow. */
TEST (test_far, "/strips/far")
{
  const Subject s = {
    .reach_x = 45000,
    .reach_y = 45000,
    .image = { .format = { FX_SAMPLE_DOUBLE, 4, TRUE },
               .width = FX_SIZE_MAX,
               .height = FX_SIZE_MAX,
               .region = { FX_SIZE_MAX - 70, FX_SIZE_MAX - 50, 70, 50 } },
  };
  const FxLayout layout = get_layout (&s, (gsize) 1 << 40);

  check_strips (&s, &layout);
}
