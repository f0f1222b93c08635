#include "stream.h"

#include "image-error.h"

#include <string.h>

#define SMALL     (G_GUINT64_CONSTANT (256) << 20) /* bytes: such an image is held as a whole */
#define HELD      (G_GUINT64_CONSTANT (512) << 20) /* bytes of rows, if the reach allows it */
#define TILE_ROWS 128
#define TILE_MOST 1000000 /* columns, for libvips */
#define BAND_ROWS 1024    /* at least; more if the filter reaches far */

struct Stream {
  StreamEngine *engine;
  VipsImage *source, *cached, *result; /* cached: NULL if the source is small */
  FxFormat format;
  FxPlan *plan;
  int band_rows;
  FxReport report;
  GError *error; /* of the first band that failed */
};

static gboolean
is_small (const Stream *stream)
{
  return VIPS_IMAGE_SIZEOF_IMAGE (stream->source) <= SMALL;
}

/* Returns the most rows around a band of so many rows that it depends on. */
static int
get_reach (const Stream *stream, int rows)
{
  FxRect band = { 0, 0, stream->source->Xsize, rows };
  int most = 0;

  for (; band.y < stream->source->Ysize; band.y += rows)
    most = MAX (most, fx_reach_get_source (&stream->plan->reach, &band).height - rows);
  return most;
}

/* Two neighbouring bands both filter the rows that they share. If bands are twice as high as the
 * filter reaches, as many rows are filtered twice as half of the image has. With lower bands all
 * rows are, but they need little more than half of the memory. */
static int
choose_band_rows (const Stream *stream)
{
  int reach = get_reach (stream, BAND_ROWS);
  guint64 need = VIPS_IMAGE_SIZEOF_LINE (stream->source) * 7 * reach;
  int rows = VIPS_ROUND_UP (MAX (BAND_ROWS, need > HELD ? reach : 2 * reach), TILE_ROWS);

  return is_small (stream) ? stream->source->Ysize : MIN (rows, stream->source->Ysize);
}

static int
get_cached_rows (const Stream *stream)
{
  int all = stream->source->Ysize, bands = stream->band_rows + 2 * TILE_ROWS;

  return is_small (stream) ? all : MIN (all, bands + get_reach (stream, stream->band_rows));
}

Stream *
stream_new (StreamEngine *engine, VipsImage *source, const FxFormat *format)
{
  Stream *stream = g_new0 (Stream, 1);

  stream->engine = engine;
  stream->source = g_object_ref (source);
  stream->format = *format;
  stream->plan = filter_settings_make_plan (engine->settings, format,
                                            &(FxGeometry) { .width = source->Xsize,
                                                            .height = source->Ysize },
                                            FALSE);
  stream->band_rows = choose_band_rows (stream);
  return stream;
}

void
stream_free (Stream *stream)
{
  if (! stream)
    return;
  g_clear_object (&stream->result);
  g_clear_object (&stream->cached);
  g_object_unref (stream->source);
  fx_plan_free (stream->plan);
  g_clear_error (&stream->error);
  g_free (stream);
}

guint64
stream_get_need (const Stream *stream)
{
  guint64 row = VIPS_IMAGE_SIZEOF_LINE (stream->source);

  return row * (get_cached_rows (stream) + 2 * (guint64) stream->band_rows);
}

/* One run of the engine, for one band. */

typedef struct {
  Stream *stream;
  VipsRegion *source, *result;
} Band;

static void
copy_rows (guint8 *to, gsize to_stride, const guint8 *from, gsize from_stride, gsize bytes, int n)
{
  for (int y = 0; y < n; y++)
    memcpy (to + y * to_stride, from + y * from_stride, bytes);
}

static gboolean
read_rect (gpointer data, const FxRect *rect, gpointer pixels, gsize stride, GError **error)
{
  const Band *band = data;
  const VipsRect wanted = { rect->x, rect->y, rect->width, rect->height };

  if (vips_region_prepare (band->source, &wanted) != 0)
    return image_set_error (IMAGE_ERROR_DAMAGED, error);
  copy_rows (pixels, stride, VIPS_REGION_ADDR (band->source, wanted.left, wanted.top),
             VIPS_REGION_LSKIP (band->source), rect->width * fx_format_size (&band->stream->format),
             rect->height);
  return TRUE;
}

static gboolean
write_rect (gpointer data, const FxRect *rect, gconstpointer pixels, gsize stride, GError **error)
{
  const Band *band = data;

  copy_rows (VIPS_REGION_ADDR (band->result, rect->x, rect->y), VIPS_REGION_LSKIP (band->result),
             pixels, stride, rect->width * fx_format_size (&band->stream->format), rect->height);
  return TRUE;
}

static gboolean
run_engine (Band *band, FxReport *report, GError **error)
{
  const Stream *stream = band->stream;
  const VipsRect *valid = &band->result->valid;
  const FxImage image = { .format = stream->format,
                          .width = stream->source->Xsize,
                          .height = stream->source->Ysize,
                          .region = { valid->left, valid->top, valid->width, valid->height },
                          .read = read_rect,
                          .write = write_rect,
                          .data = band };
  FxDevice device = filter_settings_get_device (stream->engine->settings);
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&stream->engine->lock);

  return fx_engine_run (stream->engine->engine, stream->plan, device, &image, report, error);
}

/* libvips calls this for one band at a time. */
static int
make_band (VipsRegion *out, void *sequence, void *a, void *b, gboolean *stop)
{
  Stream *stream = b;
  Band band = { .stream = stream, .source = sequence, .result = out };
  GError *error = NULL;
  FxReport report;

  if (run_engine (&band, &report, &error))
    {
      report.milliseconds += stream->report.milliseconds;
      stream->report = report;
      return 0;
    }
  if (stream->error)
    g_error_free (error);
  else
    stream->error = error;
  return -1;
}

/* The source's rows are held until no band needs them any more, the result's bands until they are
 * saved. */
static gboolean
build (Stream *stream)
{
  VipsImage *bands = vips_image_new (), *source = stream->source;
  int width = MIN (source->Xsize, TILE_MOST);
  int across = (source->Xsize + width - 1) / width;
  gboolean done = is_small (stream) ||
                  vips_tilecache (source, &stream->cached, "tile_width", width, "tile_height",
                                  TILE_ROWS, "max_tiles",
                                  (get_cached_rows (stream) / TILE_ROWS + 1) * across, "access",
                                  VIPS_ACCESS_SEQUENTIAL, NULL) == 0;

  if (stream->cached)
    source = stream->cached;
  done = done && vips_image_pipelinev (bands, VIPS_DEMAND_STYLE_THINSTRIP, source, NULL) == 0 &&
         vips_image_generate (bands, vips_start_one, make_band, vips_stop_one, source, stream) ==
           0 &&
         vips_tilecache (bands, &stream->result, "tile_width", width, "tile_height",
                         stream->band_rows, "max_tiles",
                         (stream->band_rows < source->Ysize ? 2 : 1) * across, "threaded", TRUE,
                         NULL) == 0;
  g_object_unref (bands);
  return done;
}

VipsImage *
stream_start (Stream *stream, GError **error)
{
  if (is_small (stream))
    {
      VipsImage *whole = vips_image_copy_memory (stream->source);

      if (! whole)
        {
          image_set_error (IMAGE_ERROR_DAMAGED, error);
          return NULL;
        }
      g_object_unref (stream->source);
      stream->source = whole;
    }
  if (stream->plan->identity)
    return stream->source;
  if (! build (stream))
    {
      image_set_error (IMAGE_ERROR_DAMAGED, error);
      return NULL;
    }
  return stream->result;
}

void
stream_replace_error (Stream *stream, GError **error)
{
  if (! stream->error)
    return;
  g_clear_error (error);
  g_propagate_error (error, g_steal_pointer (&stream->error));
}

const FxReport *
stream_get_report (const Stream *stream)
{
  return stream->plan->identity ? NULL : &stream->report;
}
