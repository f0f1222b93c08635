#include "strip.h"

#include "backend.h"

#define CHUNK_ROWS            128 /* if the image does not specify the rows */
#define CHUNK_ROWS_MIN        4
#define CHUNK_ROWS_OVER_LIMIT 32         /* if even the smallest layout exceeds the limit */
#define CHUNK_BYTES_MAX       (64 << 20) /* if a backend asks for more rows than the image */
#define STRIP_MIN             64         /* columns */

FxSpan
fx_strip_get_columns (const FxStrip *strip)
{
  return (FxSpan) { strip->source_x0, strip->source_x1 - strip->source_x0 };
}

FxSpan
fx_strip_get_rows (const FxStrip *strip)
{
  return (FxSpan) { strip->source_y0, strip->source_y1 - strip->source_y0 };
}

FxSpan
fx_strip_get_source_rows (const FxStrip *strip, const FxReach *reach, int y, int end)
{
  const FxRect result = { strip->x + strip->x0, strip->y + y, strip->x1 - strip->x0, end - y };
  const FxRect source = fx_reach_get_source (reach, &result);

  return fx_span_clip ((FxSpan) { source.y, source.height }, strip->y, strip->height);
}

int
fx_run_get_need (const FxRun *run, int end)
{
  FxSpan rows;

  if (run->needs_all)
    return run->strip.source_y1;
  rows = fx_strip_get_source_rows (&run->strip, &run->plan->reach, run->strip.y0, end);
  return rows.first + rows.count;
}

int
fx_strip_get_ring_rows (const FxStrip *strip, const FxReach *reach)
{
  return (int) MIN ((gint64) strip->source_y1 - strip->source_y0,
                    (gint64) reach->above + reach->below + 2 * (gint64) strip->chunk_rows);
}

int
fx_strip_get_chunk_end (const FxStrip *strip, int y, int end)
{
  return (int) MIN ((gint64) end, ((gint64) y / strip->chunk_rows + 1) * strip->chunk_rows);
}

FxStrip
fx_layout_get_strip (const FxLayout *layout, const FxReach *reach, const FxImage *image, int x0)
{
  const FxRect *region = &image->region;
  int width = MIN (layout->strip_width, region->x + region->width - x0);
  const FxRect result = { image->x + x0, image->y + region->y, width, region->height };
  const FxRect source = fx_reach_get_source (reach, &result);
  FxSpan columns = fx_span_clip ((FxSpan) { source.x, source.width }, image->x, image->width);
  FxSpan rows = fx_span_clip ((FxSpan) { source.y, source.height }, image->y, image->height);

  return (FxStrip) {
    .width = image->width,
    .height = image->height,
    .x = image->x,
    .y = image->y,
    .resident = layout->resident,
    .x0 = x0,
    .x1 = x0 + width,
    .y0 = region->y,
    .y1 = region->y + region->height,
    .source_x0 = columns.first,
    .source_x1 = columns.first + columns.count,
    .source_y0 = rows.first,
    .source_y1 = rows.first + rows.count,
    .chunk_rows = layout->chunk_rows,
  };
}

int
fx_layout_get_source_columns (const FxLayout *layout, const FxReach *reach, const FxImage *image)
{
  const FxRect *region = &image->region;
  int most = 0;

  for (int x0 = region->x; x0 < region->x + region->width; x0 += layout->strip_width)
    {
      FxStrip strip = fx_layout_get_strip (layout, reach, image, x0);

      most = MAX (most, strip.source_x1 - strip.source_x0);
    }
  return most;
}

/* The arguments for choosing a layout. */
typedef struct {
  const FxBackend *backend;
  gconstpointer device;
  const FxPlan *plan;
  const FxImage *image;
} LayoutArgs;

static gsize
get_strip_bytes (const LayoutArgs *args, const FxLayout *layout, int x0)
{
  FxStrip strip = fx_layout_get_strip (layout, &args->plan->reach, args->image, x0);

  return args->backend->get_bytes (args->device, args->plan, &strip);
}

/* The strip in the middle of the region needs the most memory, unless the reach differs from place
 * to place. */
static void
update_bytes (const LayoutArgs *args, FxLayout *layout)
{
  const FxRect *region = &args->image->region;
  int end = region->x + region->width;

  layout->bytes = get_strip_bytes (args, layout, (region->x + end - layout->strip_width) / 2);
  for (int x0 = region->x; args->plan->reach.find_source && x0 < end; x0 += layout->strip_width)
    layout->bytes = MAX (layout->bytes, get_strip_bytes (args, layout, x0));
}

static void
halve_width (const LayoutArgs *args, FxLayout *layout)
{
  layout->strip_width = MAX (STRIP_MIN, (layout->strip_width + 1) / 2);
  update_bytes (args, layout);
}

static void
halve_rows (const LayoutArgs *args, FxLayout *layout)
{
  layout->chunk_rows /= 2;
  update_bytes (args, layout);
}

/* For a limit that even the smallest layout exceeds. Narrow strips may then save hardly any memory,
 * because a filter stores columns as wide as the strip and its reach, and each strip reads these
 * columns again. Returns the layout with the widest strips that is not much larger than the
 * smallest. */
static FxLayout
get_least_layout (const LayoutArgs *args, FxLayout smallest)
{
  FxLayout layout = { .strip_width = args->image->region.width,
                      .chunk_rows = CHUNK_ROWS_OVER_LIMIT,
                      .resident = smallest.resident };

  update_bytes (args, &layout);
  while (layout.bytes > smallest.bytes + smallest.bytes / 4 &&
         layout.strip_width > smallest.strip_width)
    halve_width (args, &layout);
  return layout;
}

/* Returns the rows of a chunk if there is no memory limit. */
static int
get_most_rows (const LayoutArgs *args)
{
  const FxImage *image = args->image;
  gsize row_bytes = image->region.width * fx_format_size (&image->format);
  int usual = image->band_rows > 0 ? image->band_rows : CHUNK_ROWS;
  int asked = args->backend->get_chunk_rows ? args->backend->get_chunk_rows (args->plan) : 0;

  while (usual > CHUNK_ROWS_MIN && usual * row_bytes > FX_BAND_BYTES)
    usual /= 2;
  while (asked > usual && asked * row_bytes > CHUNK_BYTES_MAX)
    asked /= 2;
  return MAX (usual, asked);
}

FxLayout
fx_layout_new (const FxBackend *backend, gconstpointer device, const FxPlan *plan,
               const FxImage *image, gboolean resident, gsize limit)
{
  const LayoutArgs args = { backend, device, plan, image };
  const FxReach *reach = &plan->reach;
  FxLayout layout = { .strip_width = image->region.width,
                      .chunk_rows = get_most_rows (&args),
                      .resident = resident };

  update_bytes (&args, &layout);
  while (layout.bytes > limit &&
         layout.chunk_rows / 2 >= MAX (reach->worthwhile_rows, CHUNK_ROWS_MIN))
    halve_rows (&args, &layout);
  while (layout.bytes > limit && reach->worthwhile_rows > 0 &&
         layout.strip_width > MAX (STRIP_MIN, reach->left + reach->right))
    halve_width (&args, &layout);
  while (layout.bytes > limit && layout.chunk_rows > CHUNK_ROWS_MIN)
    halve_rows (&args, &layout);
  while (layout.bytes > limit && layout.strip_width > STRIP_MIN)
    halve_width (&args, &layout);
  return layout.bytes <= limit ? layout : get_least_layout (&args, layout);
}
