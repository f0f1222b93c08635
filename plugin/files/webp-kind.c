#include "webp-kind.h"

#include "file-size.h"

#include <webp/decode.h>
#include <webp/encode.h>
#include <webp/mux.h>

#define QUALITY 90 /* as GIMP's window for the export has it, and all other settings here */
#define METHOD  6

/* Reading. */

/* libwebp wants all of it at a time. */
static gboolean
read_file (const Picture *picture, WebPData *data, FILE *file, GError **error)
{
  guint64 size = file_get_size (file);
  guint8 *bytes = size <= G_MAXUINT32 ? g_try_malloc (size) : NULL;

  if (! bytes)
    return picture_fail_to_read (picture, "libwebp", "It is empty, or too large for a WebP", error);
  *data = (WebPData) { bytes, size };
  return fread (bytes, 1, size, file) == size || picture_decline (error, "It cannot be read");
}

static void
take_profile (Picture *picture, WebPMux *mux)
{
  WebPData icc;

  if (WebPMuxGetChunk (mux, "ICCP", &icc) == WEBP_MUX_OK)
    picture->icc = g_bytes_new (icc.bytes, icc.size);
}

static gboolean
take_features (Picture *picture, WebPMux *mux, GError **error)
{
  guint32 flags = 0;

  WebPMuxGetFeatures (mux, &flags);
  if (flags & ANIMATION_FLAG)
    return picture_decline (error, "It is an animation");
  picture->is_bare = ! (flags & (EXIF_FLAG | XMP_FLAG));
  take_profile (picture, mux);
  return TRUE;
}

/* GIMP always has alpha of them. */
static gboolean
decode (Picture *picture, const WebPData *data, GError **error)
{
  picture->format = (FxFormat) { .sample = FX_SAMPLE_U8, .channels = 4, .gamma = TRUE };
  if (! picture_allocate (picture, error))
    return FALSE;
  return WebPDecodeRGBAInto (data->bytes, data->size, picture->pixels, picture_get_size (picture),
                             (int) picture_get_stride (picture)) ||
         picture_refuse (error, "the file is damaged");
}

static gboolean
read_data (Picture *picture, const WebPData *data, GError **error)
{
  WebPMux *mux;
  gboolean done;

  if (! WebPGetInfo (data->bytes, data->size, &picture->width, &picture->height))
    return picture_fail_to_read (picture, "libwebp", "It is no WebP file", error);
  mux = WebPMuxCreate (data, FALSE);
  if (! mux)
    return picture_fail_to_read (picture, "libwebp", "The file is damaged", error);
  done = take_features (picture, mux, error);
  WebPMuxDelete (mux);
  return done && decode (picture, data, error);
}

static gboolean
read_webp (Picture *picture, FILE *file, GError **error)
{
  WebPData data = { 0 };
  gboolean done = read_file (picture, &data, file, error) && read_data (picture, &data, error);

  g_free ((gpointer) data.bytes);
  return done;
}

/* Writing. */

static void
pack_row (const Picture *picture, const guint8 *pixel, guint32 *to)
{
  int channels = picture->format.channels, x;
  int step = channels < 3 ? 0 : 1; /* from colour to colour */
  gboolean alpha = fx_format_has_alpha (&picture->format);

  for (x = 0; x < picture->width; x++, pixel += channels)
    to[x] = (alpha ? (guint32) pixel[channels - 1] << 24 : 0xff000000u) | (guint32) pixel[0] << 16 |
            (guint32) pixel[step] << 8 | pixel[2 * step];
}

static gboolean
encode (const Picture *picture, WebPPicture *packed, GError **error)
{
  gsize stride = picture_get_stride (picture);
  WebPConfig config;
  int y;

  if (! WebPConfigPreset (&config, WEBP_PRESET_DEFAULT, QUALITY))
    return picture_decline (error, "libwebp cannot be started");
  config.method = METHOD;
  packed->use_argb = TRUE;
  packed->width = picture->width;
  packed->height = picture->height;
  if (! WebPPictureAlloc (packed))
    return picture_decline (error, "There is not enough memory");
  for (y = 0; y < picture->height; y++)
    pack_row (picture, picture->pixels + y * stride, packed->argb + y * packed->argb_stride);
  return WebPEncode (&config, packed) ||
         picture_refuse (error, "it cannot be written: libwebp: error %d",
                         (int) packed->error_code);
}

static gboolean
add_profile (const Picture *picture, const WebPData *image, WebPData *whole, GError **error)
{
  WebPMux *mux = WebPMuxCreate (image, FALSE);
  WebPData icc;
  gboolean done;

  icc.bytes = g_bytes_get_data (picture->icc, &icc.size);
  done = mux && WebPMuxSetChunk (mux, "ICCP", &icc, FALSE) == WEBP_MUX_OK &&
         WebPMuxAssemble (mux, whole) == WEBP_MUX_OK;
  WebPMuxDelete (mux);
  return done || picture_decline (error, "The profile cannot be added");
}

static gboolean
encode_whole (const Picture *picture, WebPPicture *packed, WebPData *whole, GError **error)
{
  WebPMemoryWriter writer;
  WebPData image;
  gboolean done;

  WebPMemoryWriterInit (&writer);
  packed->writer = WebPMemoryWrite;
  packed->custom_ptr = &writer;
  done = encode (picture, packed, error);
  image = (WebPData) { writer.mem, writer.size };
  done = done && add_profile (picture, &image, whole, error);
  WebPMemoryWriterClear (&writer);
  packed->custom_ptr = NULL;
  return done;
}

/* Whether all was written, the caller asks the file. */
static gboolean
write_webp (const Picture *picture, FILE *file, GError **error)
{
  WebPPicture packed;
  WebPData whole = { 0 };
  gboolean done;

  if (MAX (picture->width, picture->height) > WEBP_MAX_DIMENSION)
    return picture_refuse (error, "it is too large for a WebP");
  if (! WebPPictureInit (&packed))
    return picture_decline (error, "libwebp cannot be started");
  done = encode_whole (picture, &packed, &whole, error);
  WebPPictureFree (&packed);
  if (done)
    fwrite (whole.bytes, 1, whole.size, file);
  WebPDataClear (&whole);
  return done;
}

/* Its head tells its size, but for the first 8 bytes. */
static gboolean
is_whole (FILE *file)
{
  guint32 head[2];

  return fread (head, sizeof head, 1, file) == 1 &&
         file_get_size (file) == (guint64) GUINT32_FROM_LE (head[1]) + sizeof head;
}

const Kind webp_kind = {
  .extensions = " webp ",
  .mime_type = "image/webp",
  .has_alpha = TRUE,
  .has_thumbnail = GIMP_CHECK_VERSION (2, 10, 32),
  .deepest = FX_SAMPLE_U8,
  .codec_bytes = 19,
  .read = read_webp,
  .write = write_webp,
  .is_whole = is_whole,
};
