/* The CPU path for an axis y without stages. The source is read where the pipeline has it, if a
 * chunk depends on its neighbours only; otherwise it is kept in a ring of rows. A thread computes a
 * tile of the result at a time. Its width is chosen so that the tile, filtered along x, and the
 * rows that the filter reaches fit into the L2 cache. Rows that the next chunk needs too are kept.
 *
 * A tile's rows are pixels of step floats (fx_interleave), because that makes a FIR along x fast.
 * They are cut into blocks of FX_COLUMN floats, and the rows of a block lie one after the other, so
 * that the FIR along y reads memory from start to end. */
#include "cpu-run.h"

#include <string.h>

#define GROUP 8                   /* blocks that are encoded together; tiles are whole groups */
#define WIDE  (GROUP * FX_COLUMN) /* their floats per row */
#define HELD  3                   /* chunks that a chunk of the result depends on */
#define TALL  8                   /* rows of the result at a time, which stay in the L1 cache */
#define RATIO 6                   /* of a tile's width to the radius: wider tiles overlap less */
#define LONG  (1 << 20)           /* multiplications for a tile's row: a fraction of a ms */

/* A thread's buffers: a tile, whose block b has its row n in slot b * tile_rows + n; a row of a
 * tile with what the FIR reads on each side; a row of planes of the strip, if axis x has stages. */
typedef struct {
  float *tile, *row, *filtered;
} Scratch;

/* The measures of a run. */
typedef struct {
  int step;        /* floats per pixel */
  int pixels;      /* of a tile's row */
  int tiles;       /* of a strip */
  int tile_rows;   /* those that a chunk of the result depends on, and perhaps one more */
  int kept_rows;   /* those that the next chunk depends on, too */
  gboolean held;   /* the source is read where it is; there is no ring */
  gsize row_bytes; /* of the ring */
} Size;

/* Rows of the source, from row y of the image on. */
typedef struct {
  const guint8 *pixels;
  int y;
} Chunk;

typedef struct {
  BlurCpuRun base;
  Size size;
  Chunk chunks[HELD + 1]; /* chunk n of the image is in slot n mod (HELD + 1) */
  guint8 *ring; /* row y is in slot y mod ring_rows: stored pixels or, if axis x has stages, the
                   filtered pixels of step floats */
  float *kept;  /* of each tile the rows that the next chunk needs too, block for block */
  float border[FX_COLUMN]; /* pixels of the border value */
  float *kernel;           /* all 2 radius + 1 weights of the FIR along x; NULL: it has stages */
  Scratch *scratch;        /* one per thread */
} Run;

/* Returns the pixels of a tile's row, at most those that give each thread a tile. */
static int
get_tile_pixels (int radius, int step, int width, int threads)
{
  int whole = WIDE / step;
  gint64 wanted = MIN ((gint64) RATIO * radius, width / threads);

  return (int) MAX ((wanted + whole - 1) / whole, 1) * whole;
}

static Size
get_size (const BlurCpuRun *run)
{
  const FxPlan *plan = run->base.base.plan;
  const FxStrip *strip = &run->base.base.strip;
  const BlurPlan *blur = run->plan;
  int width = fx_cpu_blocks_get_width (strip);
  Size size = { .step = fx_interleave_get_step (plan->codec.format.channels) };

  size.pixels = get_tile_pixels (blur->cpu_x->radius, size.step, width, run->base.cpu->threads);
  size.tiles = (int) fx_ceil_div (width, size.pixels);
  /* An odd number, so that the blocks of a row do not all map to the same few cache sets. */
  size.kept_rows = 2 * blur->cpu_y->radius;
  size.tile_rows = (size.kept_rows + strip->chunk_rows) | 1;
  size.row_bytes = fx_cpu_blocks_get_source_width (strip) * fx_format_size (&plan->codec.format);
  size.held = ! blur->cpu_x->n_stages &&
              MAX (plan->reach.above, plan->reach.below) <= strip->chunk_rows;
  if (blur->cpu_x->n_stages)
    size.row_bytes = (gsize) size.tiles * size.pixels * size.step * sizeof (float);
  return size;
}

/* Returns the floats of rows rows of a tile. */
static gsize
get_tile_floats (const Size *size, int rows)
{
  return (gsize) size->pixels * size->step * rows;
}

/* The source. */

static gpointer
get_ring_row (const Run *run, int y)
{
  return run->ring + y % run->base.base.ring_rows * run->size.row_bytes;
}

/* Returns row y of the source: stored pixels or, if axis x has stages, the filtered ones. */
static gconstpointer
get_source_row (const Run *run, int y)
{
  const Chunk *chunk = &run->chunks[y / run->base.base.base.strip.chunk_rows % (HELD + 1)];

  if (! run->size.held)
    return get_ring_row (run, y);
  return chunk->pixels + (y - chunk->y) * run->size.row_bytes;
}

/* Decodes a row of the strip, and filters it along x by multi-resolution. */
static void
filter_row (const Run *run, const guint8 *source, int thread, float *out)
{
  const FxStrip *strip = &run->base.base.base.strip;
  BlurLine **lines = run->base.lines + thread * run->base.channels;
  float *filtered = run->scratch[thread].filtered;
  float *planes[FX_CHANNELS_MAX];

  for (int c = 0; c < run->base.channels; c++)
    planes[c] = blur_line_get_source (lines[c]);
  fx_codec_decode (&run->base.base.base.plan->codec, source, strip->source_x1 - strip->source_x0,
                   planes);
  blur_cpu_run_filter_lines (&run->base, lines, filtered);
  for (int c = 0; c < run->base.channels; c++)
    planes[c] = filtered + c * run->base.pitch;
  fx_interleave (planes, run->base.channels, strip->x1 - strip->x0, out);
}

static void
decode (const FxCpuBlocks *base, const guint8 *source, int y, int thread)
{
  const Run *run = (const Run *) base;
  gpointer out = get_ring_row (run, y);

  if (run->kernel)
    memcpy (out, source, run->size.row_bytes);
  else
    filter_row (run, source, thread, out);
}

static gboolean
cpu_fir_push (FxRun *base, gconstpointer source, int y, int rows, GError **error)
{
  Run *run = (Run *) base;

  if (! run->size.held)
    return fx_cpu_blocks_push (base, source, y, rows, error);
  run->chunks[y / base->strip.chunk_rows % (HELD + 1)] = (Chunk) { source, y };
  return TRUE;
}

/* Along x. */

/* Fills n pixels next to one end of a row: by the abyss policy at the edge of the image, otherwise
 * with the last pixel. */
static void
fill_border (const Run *run, float *out, gsize n, gboolean at_edge, const float *last)
{
  gboolean other = at_edge && run->base.base.base.plan->abyss != FX_ABYSS_CLAMP;
  const float *values = other ? run->border : last;
  gsize i;

  for (i = 0; i < n; i++)
    memcpy (out + i * run->size.step, values, run->size.step * sizeof (float));
}

/* Decodes what the FIR reads for a tile's row that begins at column x. */
static void
decode_row (const Run *run, const guint8 *source, int x, const Scratch *scratch)
{
  const FxStrip *strip = &run->base.base.base.strip;
  const FxCodec *codec = &run->base.base.base.plan->codec;
  int step = run->size.step, radius = run->base.plan->cpu_x->radius;
  int first = MAX (x - radius, strip->source_x0);
  int end = (int) MIN ((gint64) x + run->size.pixels + radius, strip->source_x1);
  gsize pixel = fx_format_size (&codec->format);
  float *row = scratch->row + (gsize) (first - (x - radius)) * step;

  source += (first - strip->source_x0) * pixel;
  fx_cpu_prefetch (source + FX_CPU_AHEAD * run->size.row_bytes, (end - first) * pixel);
  fx_codec_decode_pixels (codec, source, end - first, row);
  fill_border (run, scratch->row, first - (x - radius), strip->source_x0 == 0, row);
  row += (gsize) (end - first) * step;
  fill_border (run, row, (gint64) x + run->size.pixels + radius - end,
               strip->source_x1 == strip->width, row - step);
}

/* Filters row y of the source along x into row n of a tile. */
static void
convolve_row (const Run *run, int tile, int y, int n, const Scratch *scratch)
{
  const Size *size = &run->size;
  float *out = scratch->tile + (gsize) n * FX_COLUMN;
  gsize pitch = (gsize) size->tile_rows * FX_COLUMN, floats = (gsize) size->pixels * size->step;
  gsize i;

  if (run->kernel)
    {
      decode_row (run, get_source_row (run, y), run->base.base.base.strip.x0 + tile * size->pixels,
                  scratch);
      fx_row_convolve (scratch->row, size->step, run->kernel, 2 * run->base.plan->cpu_x->radius + 1,
                       floats, out, pitch);
    }
  else
    for (i = 0; i < floats; i += FX_COLUMN)
      memcpy (out + i / FX_COLUMN * pitch,
              (const float *) get_source_row (run, y) + tile * floats + i,
              FX_COLUMN * sizeof (float));
}

/* Copies the row before row n of a tile into it or, if row is not NULL, that block of a row. */
static void
repeat_row (const Run *run, int n, const float *row, const Scratch *scratch)
{
  const Size *size = &run->size;
  float *out = scratch->tile + (gsize) n * FX_COLUMN;

  for (int block = 0; block < size->pixels * size->step / FX_COLUMN; block++)
    {
      memcpy (out, row ? row : out - FX_COLUMN, FX_COLUMN * sizeof (float));
      out += (gsize) size->tile_rows * FX_COLUMN;
    }
}

/* Copies the rows from row first of a tile on to the kept ones, or from these. */
static void
copy_kept (const Run *run, int tile, int first, gboolean back, const Scratch *scratch)
{
  const Size *size = &run->size;
  gsize floats = (gsize) size->kept_rows * FX_COLUMN;
  float *kept = run->kept + tile * get_tile_floats (size, size->kept_rows);
  float *rows = scratch->tile + (gsize) first * FX_COLUMN;

  for (int block = 0; block < size->pixels * size->step / FX_COLUMN; block++)
    {
      memcpy (back ? rows : kept, back ? kept : rows, floats * sizeof (float));
      kept += floats;
      rows += (gsize) size->tile_rows * FX_COLUMN;
    }
}

/* Returns whether the result is still wanted, but asks only if a row of a tile takes long. */
static gboolean
is_wanted (const Run *run)
{
  gint64 taps = (gint64) run->base.plan->cpu_x->radius + run->base.plan->cpu_y->radius;

  return taps * run->size.pixels * run->size.step < LONG ||
         fx_run_is_wanted (&run->base.base.base, NULL);
}

/* Fills rows first to end - 1 of a tile, whose row 0 is row y of the image. The rows may lie
 * outside of the image. */
static void
fill_tile (const Run *run, int tile, gint64 y, int first, int end, const Scratch *scratch)
{
  gint64 last = run->base.base.base.strip.height - 1;
  gboolean clamp = run->base.base.base.plan->abyss == FX_ABYSS_CLAMP;

  for (int n = first; n < end && is_wanted (run); n++)
    if (! clamp && (y + n < 0 || y + n > last))
      repeat_row (run, n, run->border, scratch);
    else if (n > 0 && clamp && CLAMP (y + n, 0, last) == CLAMP (y + n - 1, 0, last))
      repeat_row (run, n, NULL, scratch);
    else
      convolve_row (run, tile, (int) CLAMP (y + n, 0, last), n, scratch);
}

/* Along y. */

/* Computes at most TALL rows of n pixels of the result from a group of blocks at in. */
static void
pull_rows (const Run *run, const float *in, int n, int count, guint8 *result, gsize stride)
{
  float filtered[TALL][WIDE];

  for (int block = 0; block < GROUP; block++)
    fx_column_convolve ((const float (*)[FX_COLUMN]) in + (gsize) block * run->size.tile_rows,
                        run->base.kernel, 2 * run->base.plan->cpu_y->radius + 1, count,
                        filtered[0] + block * FX_COLUMN, WIDE);
  for (int row = 0; row < count; row++)
    fx_codec_encode_pixels (&run->base.base.base.plan->codec, filtered[row], n,
                            result + row * stride);
}

/* Computes at most TALL rows of a tile's result, width pixels from row first of the tile on. */
static void
pull_groups (const Run *run, int width, int first, int count, const Scratch *scratch,
             guint8 *result, gsize stride)
{
  gsize pixel = fx_format_size (&run->base.base.base.plan->codec.format);
  const float *in = scratch->tile + (gsize) first * FX_COLUMN;
  int group = WIDE / run->size.step, x;

  for (x = 0; x < width; x += group)
    {
      pull_rows (run, in, MIN (group, width - x), count, result + x * pixel, stride);
      in += (gsize) GROUP * run->size.tile_rows * FX_COLUMN;
    }
}

/* Each row of a tile is used as soon as it is computed, while it is in the L1 cache. */
static void
filter (const FxCpuBlocks *base, const FxRect *block, guint8 *result, gsize stride, int thread)
{
  const Run *run = (const Run *) base;
  const Scratch *scratch = &run->scratch[thread];
  int tile = (block->x - base->base.strip.x0) / run->size.pixels, kept = run->size.kept_rows;
  gint64 y = (gint64) block->y - run->base.plan->cpu_y->radius;
  int row, count, filled = 0;

  if (block->y > base->base.strip.y0)
    {
      copy_kept (run, tile, 0, TRUE, scratch);
      filled = kept;
    }
  for (row = 0; row < block->height; row += count)
    {
      count = MIN (TALL, block->height - row);
      fill_tile (run, tile, y, filled, row + count + kept, scratch);
      filled = row + count + kept;
      pull_groups (run, block->width, row, count, scratch, result + row * stride, stride);
    }
  copy_kept (run, tile, block->height, FALSE, scratch);
}

/* The run. */

static void
init (FxCpuBlocks *base)
{
  Run *run = (Run *) base;

  blur_cpu_run_init (&run->base, fx_cpu_blocks_get_width (&base->base.strip));
  run->size = get_size (&run->base);
  base->columns = run->size.pixels;
  base->rows = base->base.strip.chunk_rows;
  base->decode = decode;
  base->filter = filter;
}

static Scratch
take_scratch (Run *run)
{
  FxCpuBlocks *base = &run->base.base;
  const Size *size = &run->size;
  gsize pixels = size->pixels + 2 * (gsize) run->base.plan->cpu_x->radius;
  gsize row = pixels * size->step + 2 * FX_COLUMN; /* whole blocks are read */
  gsize filtered = run->base.plan->cpu_x->n_stages ? run->base.row_size : 0;

  return (Scratch) {
    .tile = fx_cpu_blocks_alloc (base, get_tile_floats (size, size->tile_rows), sizeof (float)),
    .row = fx_cpu_blocks_alloc0 (base, row, sizeof (float)),
    .filtered = fx_cpu_blocks_alloc0 (base, filtered, sizeof (float)),
  };
}

static void
lay_out (FxCpuBlocks *base)
{
  Run *run = (Run *) base;
  const Size *size = &run->size;
  const BlurAxis *x = run->base.plan->cpu_x;

  blur_cpu_run_lay_out (&run->base);
  run->ring = fx_cpu_blocks_alloc (base, size->held ? 0 : base->ring_rows, size->row_bytes);
  run->kept = fx_cpu_blocks_alloc (base, size->tiles * get_tile_floats (size, size->kept_rows),
                                   sizeof (float));
  if (! x->n_stages)
    run->kernel = fx_cpu_blocks_alloc (base, 2 * x->radius + 1, sizeof (float));
  run->scratch = fx_cpu_blocks_alloc (base, base->threads, sizeof *run->scratch);
  for (int i = 0; i < base->threads; i++)
    {
      Scratch scratch = take_scratch (run);

      if (base->memory)
        run->scratch[i] = scratch;
    }
}

static void
fill (FxCpuBlocks *base)
{
  Run *run = (Run *) base;

  if (run->kernel)
    blur_axis_fill_kernel (run->base.plan->cpu_x, run->kernel);
  for (int i = 0; i < FX_COLUMN; i++)
    run->border[i] = base->base.plan->border[MIN (i % run->size.step, run->base.channels - 1)];
}

const FxCpuPath blur_cpu_fir = {
  .size = sizeof (Run),
  .held = HELD,
  .push = cpu_fir_push,
  .init = init,
  .lay_out = lay_out,
  .fill = fill,
};
