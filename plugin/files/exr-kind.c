#include "exr-kind.h"

#include "codec.h"
#include "file-size.h"

#include <openexr.h>
#include <string.h>

#define CHUNK_ROWS 16 /* of ZIP */
#define ZIP_LEVEL  4  /* as OpenEXR's C++ library, which GIMP calls, has it */

/* Of one call. OpenEXR hands it to what it calls. */
typedef struct {
  FILE *file;
  exr_context_t context;
  char failure[256]; /* what OpenEXR said first */
} Codec;

static Codec *
get_codec (exr_const_context_t context)
{
  void *codec = NULL;

  exr_get_user_data (context, &codec);
  return codec;
}

static void
keep_failure (exr_const_context_t context, exr_result_t code, const char *words)
{
  Codec *codec = context ? get_codec (context) : NULL;

  if (codec && ! *codec->failure)
    g_strlcpy (codec->failure, words, sizeof codec->failure);
}

static const char *
get_words (const Codec *codec)
{
  return *codec->failure ? codec->failure : "It cannot be done";
}

static gboolean
tell (const Codec *codec, const Picture *picture, GError **error)
{
  return picture_fail_to_read (picture, "OpenEXR", get_words (codec), error);
}

/* Files. */

static int64_t
read_bytes (exr_const_context_t context, void *data, void *to, uint64_t size, uint64_t offset,
            exr_stream_error_func_ptr_t tell_error)
{
  FILE *file = ((Codec *) data)->file;

  return fseeko (file, (off_t) offset, SEEK_SET) == 0 ? (int64_t) fread (to, 1, size, file) : -1;
}

static int64_t
write_bytes (exr_const_context_t context, void *data, const void *from, uint64_t size,
             uint64_t offset, exr_stream_error_func_ptr_t tell_error)
{
  FILE *file = ((Codec *) data)->file;

  return fseeko (file, (off_t) offset, SEEK_SET) == 0 && fwrite (from, 1, size, file) == size
           ? (int64_t) size
           : -1;
}

static int64_t
tell_size (exr_const_context_t context, void *data)
{
  return (int64_t) file_get_size (((Codec *) data)->file);
}

static exr_context_initializer_t
make_initializer (Codec *codec)
{
  exr_context_initializer_t initializer = EXR_DEFAULT_CONTEXT_INITIALIZER;

  initializer.error_handler_fn = keep_failure;
  initializer.user_data = codec;
  initializer.read_fn = read_bytes;
  initializer.size_fn = tell_size;
  initializer.write_fn = write_bytes;
  initializer.zip_level = ZIP_LEVEL;
  initializer.flags = EXR_CONTEXT_FLAG_DISABLE_CHUNK_RECONSTRUCTION;
  return initializer;
}

/* Channels: a picture's are Y or R, G and B, and A. */

static const char *
get_name (const FxFormat *format, int channel)
{
  static const char *const names[] = { "Y", "A", "R", "G", "B", "A" };

  return names[(format->channels < 3 ? 0 : 2) + channel];
}

/* -1: it is none of these. */
static int
find_channel (const FxFormat *format, const char *name)
{
  int i;

  for (i = 0; i < format->channels; i++)
    if (strcmp (get_name (format, i), name) == 0)
      return i;
  return -1;
}

/* Reading. */

static gboolean
has (const Codec *codec, const char *attribute)
{
  const exr_attribute_t *found;

  return exr_get_attribute_by_name (codec->context, 0, attribute, &found) == EXR_ERR_SUCCESS;
}

static gboolean
take_size (const Codec *codec, Picture *picture, GError **error)
{
  exr_attr_box2i_t window;

  if (exr_get_data_window (codec->context, 0, &window) != EXR_ERR_SUCCESS)
    return tell (codec, picture, error);
  picture->width = (int) MIN ((gint64) window.max.x - window.min.x + 1, G_MAXINT);
  picture->height = (int) MIN ((gint64) window.max.y - window.min.y + 1, G_MAXINT);
  return TRUE;
}

/* B44 and DWA lose something, by their own ways of rounding. */
static gboolean
check_layout (const Codec *codec, const Picture *picture, GError **error)
{
  exr_storage_t storage;
  exr_compression_t compression;
  int parts;

  if (exr_get_count (codec->context, &parts) != EXR_ERR_SUCCESS ||
      exr_get_storage (codec->context, 0, &storage) != EXR_ERR_SUCCESS ||
      exr_get_compression (codec->context, 0, &compression) != EXR_ERR_SUCCESS)
    return tell (codec, picture, error);
  if (parts != 1 || storage != EXR_STORAGE_SCANLINE)
    return picture_decline (error, "It has parts or tiles, or is deep");
  if (compression > EXR_COMPRESSION_PXR24)
    return picture_decline (error, "Its compression is not known");
  if (has (codec, "exif") || has (codec, "xmp"))
    return picture_decline (error, "It has metadata");
  if (has (codec, "chromaticities") && has (codec, "whiteLuminance"))
    return picture_decline (error, "It has colours of its own");
  return TRUE;
}

static const exr_attr_chlist_entry_t *
get_entry (const exr_attr_chlist_t *list, const char *name)
{
  int i;

  for (i = 0; i < list->num_channels; i++)
    if (strcmp (list->entries[i].name.str, name) == 0)
      return &list->entries[i];
  return NULL;
}

/* FALSE: not all of the format's channels are there, of one type. */
static gboolean
take_samples (FxFormat *format, const exr_attr_chlist_t *list)
{
  const exr_attr_chlist_entry_t *first = get_entry (list, get_name (format, 0)), *entry;
  int i;

  for (i = 0; i < format->channels; i++)
    {
      entry = get_entry (list, get_name (format, i));
      if (! entry || entry->pixel_type != first->pixel_type || entry->x_sampling != 1 ||
          entry->y_sampling != 1)
        return FALSE;
    }
  format->sample = first->pixel_type == EXR_PIXEL_HALF ? FX_SAMPLE_HALF : FX_SAMPLE_FLOAT;
  return first->pixel_type != EXR_PIXEL_UINT;
}

/* Of grey half floats with alpha babl makes other floats for GIMP: they differ in the last bit. */
static gboolean
take_format (const Codec *codec, Picture *picture, GError **error)
{
  const exr_attr_chlist_t *list;

  if (exr_get_channels (codec->context, 0, &list) != EXR_ERR_SUCCESS)
    return tell (codec, picture, error);
  picture->format.channels = (get_entry (list, "R") || get_entry (list, "G") ? 3 : 1) +
                             (get_entry (list, "A") ? 1 : 0);
  if (! take_samples (&picture->format, list) || get_entry (list, "RY") || get_entry (list, "BY"))
    return picture_decline (error, "Its channels are others, or not alike");
  if (picture->format.channels == 2 && picture->format.sample == FX_SAMPLE_HALF)
    return picture_decline (error, "It is grey, with alpha, and half floats");
  return TRUE;
}

/* The pipeline's pointers, for the chunk that begins with this row of the picture. */
static void
aim (exr_decode_pipeline_t *pipeline, const Picture *picture, int row)
{
  int i;

  for (i = 0; i < pipeline->channel_count; i++)
    {
      exr_coding_channel_info_t *channel = &pipeline->channels[i];
      int at = find_channel (&picture->format, channel->channel_name);

      channel->decode_to_ptr = NULL;
      if (at < 0)
        continue;
      channel->decode_to_ptr = picture->pixels + row * picture_get_stride (picture) +
                               (gsize) at * fx_sample_size (picture->format.sample);
      channel->user_pixel_stride = (int) fx_format_size (&picture->format);
      channel->user_line_stride = (int) picture_get_stride (picture);
    }
}

static exr_result_t
read_chunk (const Codec *codec, const Picture *picture, exr_decode_pipeline_t *pipeline, int top,
            int row)
{
  exr_chunk_info_t chunk;
  exr_result_t result = exr_read_scanline_chunk_info (codec->context, 0, top + row, &chunk);

  if (result == EXR_ERR_SUCCESS)
    result = row == 0 ? exr_decoding_initialize (codec->context, 0, &chunk, pipeline)
                      : exr_decoding_update (codec->context, 0, &chunk, pipeline);
  if (result != EXR_ERR_SUCCESS)
    return result;
  aim (pipeline, picture, row);
  if (row == 0)
    result = exr_decoding_choose_default_routines (codec->context, 0, pipeline);
  return result == EXR_ERR_SUCCESS ? exr_decoding_run (codec->context, 0, pipeline) : result;
}

static exr_result_t
read_chunks (const Codec *codec, const Picture *picture, exr_decode_pipeline_t *pipeline)
{
  exr_attr_box2i_t window;
  exr_result_t result = exr_get_data_window (codec->context, 0, &window);
  int rows = 1, row;

  if (result == EXR_ERR_SUCCESS)
    result = exr_get_scanlines_per_chunk (codec->context, 0, &rows);
  for (row = 0; row < picture->height && result == EXR_ERR_SUCCESS; row += rows)
    result = read_chunk (codec, picture, pipeline, window.min.y, row);
  return result;
}

static gboolean
take_pixels (const Codec *codec, Picture *picture, GError **error)
{
  exr_decode_pipeline_t pipeline = EXR_DECODE_PIPELINE_INITIALIZER;
  exr_result_t result;

  if (! picture_allocate (picture, error))
    return FALSE;
  result = read_chunks (codec, picture, &pipeline);
  exr_decoding_destroy (codec->context, &pipeline);
  return result == EXR_ERR_SUCCESS || tell (codec, picture, error);
}

static gboolean
read_exr (Picture *picture, FILE *file, GError **error)
{
  Codec codec = { .file = file };
  exr_context_initializer_t initializer = make_initializer (&codec);
  gboolean done;

  if (exr_start_read (&codec.context, "file", &initializer) != EXR_ERR_SUCCESS)
    return tell (&codec, picture, error);
  picture->is_bare = TRUE;
  done = take_size (&codec, picture, error) && check_layout (&codec, picture, error) &&
         take_format (&codec, picture, error) && take_pixels (&codec, picture, error);
  exr_finish (&codec.context);
  return done;
}

/* Writing. */

static gboolean
tell_written (const Codec *codec, GError **error)
{
  return picture_refuse (error, "it cannot be written: OpenEXR: %s", get_words (codec));
}

/* In the order of their names. */
static exr_result_t
add_channels (const Codec *codec, const FxFormat *format)
{
  exr_result_t result = EXR_ERR_SUCCESS;
  int i;

  for (i = 0; i < format->channels && result == EXR_ERR_SUCCESS; i++)
    result = exr_add_channel (codec->context, 0, get_name (format, i), EXR_PIXEL_FLOAT,
                              EXR_PERCEPTUALLY_LOGARITHMIC, 1, 1);
  return result;
}

static exr_result_t
write_head (const Codec *codec, const Picture *picture)
{
  /* sRGB's, as babl has them. */
  static const exr_attr_chromaticities_t colours = { 0x1.47ade8p-1f, 0x1.51ee2ep-2f, 0x1.333432p-2f,
                                                     0x1.3333a4p-1f, 0x1.333446p-3f, 0x1.eb7f42p-5f,
                                                     0x1.40346ep-2f, 0x1.50e560p-2f };
  exr_result_t result;
  int part;

  result = exr_add_part (codec->context, NULL, EXR_STORAGE_SCANLINE, &part);
  if (result == EXR_ERR_SUCCESS)
    result = exr_initialize_required_attr_simple (codec->context, 0, picture->width,
                                                  picture->height, EXR_COMPRESSION_ZIP);
  if (result == EXR_ERR_SUCCESS)
    result = add_channels (codec, &picture->format);
  if (result == EXR_ERR_SUCCESS)
    result = exr_attr_set_chromaticities (codec->context, 0, "chromaticities", &colours);
  return result == EXR_ERR_SUCCESS ? exr_write_header (codec->context) : result;
}

/* A chunk's rows as planes of floats, colour multiplied by alpha. */
typedef struct {
  float *planes[4];
  float *samples; /* of all planes */
  FxCodec codec;
} Rows;

static gboolean
rows_init (Rows *rows, const Picture *picture)
{
  gsize plane = (gsize) picture->width * CHUNK_ROWS;
  int i;

  rows->codec = (FxCodec) { .format = picture->format, .alpha = FX_ALPHA_PREMULTIPLIED };
  rows->samples = g_try_new (float, plane * picture->format.channels);
  for (i = 0; i < picture->format.channels; i++)
    rows->planes[i] = rows->samples + i * plane;
  return rows->samples != NULL;
}

static void
aim_from (exr_encode_pipeline_t *pipeline, const Picture *picture, const Rows *rows)
{
  int i;

  for (i = 0; i < pipeline->channel_count; i++)
    {
      exr_coding_channel_info_t *channel = &pipeline->channels[i];
      int at = find_channel (&picture->format, channel->channel_name);

      channel->encode_from_ptr = (const uint8_t *) rows->planes[at];
      channel->user_pixel_stride = sizeof (float);
      channel->user_line_stride = picture->width * (int) sizeof (float);
    }
}

static exr_result_t
write_chunk (const Codec *codec, const Picture *picture, Rows *rows,
             exr_encode_pipeline_t *pipeline, int row)
{
  exr_chunk_info_t chunk;
  exr_result_t result = exr_write_scanline_chunk_info (codec->context, 0, row, &chunk);

  if (result == EXR_ERR_SUCCESS)
    result = row == 0 ? exr_encoding_initialize (codec->context, 0, &chunk, pipeline)
                      : exr_encoding_update (codec->context, 0, &chunk, pipeline);
  if (result != EXR_ERR_SUCCESS)
    return result;
  fx_codec_decode (&rows->codec, picture->pixels + row * picture_get_stride (picture),
                   picture->width * chunk.height, rows->planes);
  aim_from (pipeline, picture, rows);
  if (row == 0)
    result = exr_encoding_choose_default_routines (codec->context, 0, pipeline);
  return result == EXR_ERR_SUCCESS ? exr_encoding_run (codec->context, 0, pipeline) : result;
}

static gboolean
write_all (const Codec *codec, const Picture *picture, GError **error)
{
  exr_encode_pipeline_t pipeline = EXR_ENCODE_PIPELINE_INITIALIZER;
  exr_result_t result;
  Rows rows;
  int row;

  if (! rows_init (&rows, picture))
    return picture_decline (error, "There is not enough memory");
  result = write_head (codec, picture);
  for (row = 0; row < picture->height && result == EXR_ERR_SUCCESS; row += CHUNK_ROWS)
    result = write_chunk (codec, picture, &rows, &pipeline, row);
  exr_encoding_destroy (codec->context, &pipeline);
  g_free (rows.samples);
  return result == EXR_ERR_SUCCESS || tell_written (codec, error);
}

static gboolean
write_exr (const Picture *picture, FILE *file, GError **error)
{
  Codec codec = { .file = file };
  exr_context_initializer_t initializer = make_initializer (&codec);
  gboolean done;

  if (exr_start_write (&codec.context, "file", EXR_WRITE_FILE_DIRECTLY, &initializer) !=
      EXR_ERR_SUCCESS)
    return tell_written (&codec, error);
  done = write_all (&codec, picture, error);
  return exr_finish (&codec.context) == EXR_ERR_SUCCESS ? done
                                                        : done && tell_written (&codec, error);
}

const Kind exr_kind = {
  .extensions = " exr ",
  .mime_type = "image/x-exr",
  .has_alpha = TRUE,
  .is_linear = TRUE,
  .deepest = FX_SAMPLE_FLOAT,
  .read = read_exr,
  .write = write_exr,
};
