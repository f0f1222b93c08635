#include "png-kind.h"

#include <math.h>
#include <png.h>
#include <string.h>
#include <time.h>

#define LEVEL       6   /* as program.scm has it, where GIMP's own is 9 */
#define PACKED_FROM 200 /* bytes of a comment */
#define METRES      0.0254
#define ANIMATION   "acTL" /* the chunk that has the number of frames first */

/* libpng ends a call that fails by a jump. */
typedef struct {
  png_structp png;
  png_infop info;
  Picture *picture;
  gboolean indexed;
  char failure[256];
  png_bytep *rows; /* these are freed when the call has ended */
  char *words;
  guint8 *row;
} Codec;

static void
jump (png_structp png, png_const_charp words)
{
  Codec *codec = png_get_error_ptr (png);

  g_strlcpy (codec->failure, words, sizeof codec->failure);
  png_longjmp (png, 1);
}

/* GIMP goes on, and the user is to hear of it. */
static void
keep_warning (png_structp png, png_const_charp words)
{
  Codec *codec = png_get_error_ptr (png);

  g_strlcpy (codec->failure, words, sizeof codec->failure);
}

static void
configure (Codec *codec)
{
  png_set_benign_errors (codec->png, TRUE);
  png_set_option (codec->png, PNG_SKIP_sRGB_CHECK_PROFILE, PNG_OPTION_ON);
}

/* Reading. */

static void
take_profile (Codec *codec)
{
  png_charp name;
  png_bytep data;
  png_uint_32 length;
  int packing;

  if (! png_get_iCCP (codec->png, codec->info, &name, &packing, &data, &length))
    return;
  if (! g_str_is_ascii (name))
    png_error (codec->png, "the profile's name is not ASCII");
  codec->picture->icc = g_bytes_new (data, length);
  codec->picture->profile_name = g_strdup (name);
}

/* Of an unknown unit it is the shape of the pixels. */
static void
take_resolution (Codec *codec)
{
  Picture *picture = codec->picture;
  png_uint_32 x, y;
  int unit;

  if (! png_get_pHYs (codec->png, codec->info, &x, &y, &unit) || x == 0 || y == 0)
    return;
  picture->has_resolution = TRUE;
  if (unit == PNG_RESOLUTION_METER)
    {
      picture_set_resolution (picture, x * METRES, y * METRES);
      picture->metric = TRUE;
    }
  else if (x > y)
    picture_set_resolution (picture, picture->yres * (double) x / (double) y, picture->yres);
  else
    picture_set_resolution (picture, picture->xres, picture->xres * (double) y / (double) x);
}

/* Not packed, and alpha where there is some transparency. A palette is expanded later, where its
 * indices can be checked. */
static void
expand (Codec *codec)
{
  codec->indexed = png_get_color_type (codec->png, codec->info) == PNG_COLOR_TYPE_PALETTE;
  if (codec->indexed)
    png_set_packing (codec->png);
  else if (png_get_bit_depth (codec->png, codec->info) < 8 ||
           png_get_valid (codec->png, codec->info, PNG_INFO_tRNS))
    png_set_expand (codec->png);
  if (G_BYTE_ORDER == G_LITTLE_ENDIAN)
    png_set_swap (codec->png);
  png_set_interlace_handling (codec->png);
  png_read_update_info (codec->png, codec->info);
}

/* libpng knows no animations; what tells of one is kept for take_frames. */
static void
take_frames (Codec *codec)
{
  png_unknown_chunkp chunks = NULL;
  int n = png_get_unknown_chunks (codec->png, codec->info, &chunks), i;

  for (i = 0; i < n; i++)
    if (strcmp ((const char *) chunks[i].name, ANIMATION) == 0 && chunks[i].size >= 4)
      codec->picture->frames = (int) MIN (png_get_uint_32 (chunks[i].data), G_MAXINT);
}

static gboolean
take_format (Codec *codec, GError **error)
{
  Picture *picture = codec->picture;
  gboolean deep = png_get_bit_depth (codec->png, codec->info) == 16;
  gboolean alpha = png_get_valid (codec->png, codec->info, PNG_INFO_tRNS) != 0;

  picture->width = (int) png_get_image_width (codec->png, codec->info);
  picture->height = (int) png_get_image_height (codec->png, codec->info);
  if (png_get_x_offset_pixels (codec->png, codec->info) != 0 ||
      png_get_y_offset_pixels (codec->png, codec->info) != 0)
    return picture_decline (error, "It lies beside its canvas");
  picture->format = (FxFormat) { .sample = deep ? FX_SAMPLE_U16 : FX_SAMPLE_U8,
                                 .channels = codec->indexed
                                               ? 3 + alpha
                                               : png_get_channels (codec->png, codec->info),
                                 .gamma = TRUE };
  return TRUE;
}

/* Backwards, within the row. FALSE where an index is not in the palette. */
static gboolean
expand_row (const Codec *codec, png_const_colorp palette, int colours, png_const_bytep alpha,
            int alphas, guint8 *row)
{
  int channels = codec->picture->format.channels, x;

  for (x = codec->picture->width - 1; x >= 0; x--)
    {
      int index = row[x];
      guint8 *pixel = row + x * channels;

      if (index >= colours)
        return FALSE;
      pixel[0] = palette[index].red;
      pixel[1] = palette[index].green;
      pixel[2] = palette[index].blue;
      if (channels == 4)
        pixel[3] = index < alphas ? alpha[index] : 255;
    }
  return TRUE;
}

static gboolean
expand_palette (Codec *codec, GError **error)
{
  png_colorp palette = NULL;
  png_bytep alpha = NULL;
  int colours = 0, alphas = 0, y;

  png_get_PLTE (codec->png, codec->info, &palette, &colours);
  png_get_tRNS (codec->png, codec->info, &alpha, &alphas, NULL);
  for (y = 0; y < codec->picture->height; y++)
    if (! expand_row (codec, palette, colours, alpha, alphas, codec->rows[y]))
      return picture_decline (error, "It has colours that its palette lacks");
  return TRUE;
}

static gboolean
read_rows (Codec *codec, GError **error)
{
  Picture *picture = codec->picture;
  gsize stride = picture_get_stride (picture);
  int y;

  codec->rows = g_try_new (png_bytep, picture->height);
  if (! codec->rows)
    return picture_decline (error, "There is not enough memory");
  for (y = 0; y < picture->height; y++)
    codec->rows[y] = picture->pixels + y * stride;
  png_read_image (codec->png, codec->rows);
  return ! codec->indexed || expand_palette (codec, error);
}

/* The first text of that name. Its bytes are ISO 8859-1, or UTF-8 in a chunk of the newer kind. */
static void
take_comment (Codec *codec)
{
  png_textp text;
  int i, n = png_get_text (codec->png, codec->info, &text, NULL);
  char *comment = NULL;

  for (i = 0; i < n && ! comment; i++)
    if (! text[i].key || strcmp (text[i].key, "Comment") != 0)
      continue;
    else if (text[i].text_length > 0)
      comment = g_convert (text[i].text, -1, "UTF-8", "ISO-8859-1", NULL, NULL, NULL);
    else if (g_utf8_validate (text[i].text, -1, NULL))
      comment = g_strdup (text[i].text);
  if (comment && *comment)
    codec->picture->comment = g_steal_pointer (&comment);
  g_free (comment);
}

/* Holds the jump: nothing that is to be freed is a variable here. */
static gboolean
run_reader (Codec *codec, FILE *file, GError **error)
{
  if (setjmp (png_jmpbuf (codec->png)))
    return picture_fail_to_read (codec->picture, "libpng", codec->failure, error);
  configure (codec);
  png_set_keep_unknown_chunks (codec->png, PNG_HANDLE_CHUNK_ALWAYS, (png_const_bytep) ANIMATION, 1);
  png_init_io (codec->png, file);
  png_read_info (codec->png, codec->info);
  take_frames (codec);
  take_profile (codec);
  expand (codec);
  if (! take_format (codec, error) || ! picture_allocate (codec->picture, error))
    return FALSE;
  take_resolution (codec);
  if (! read_rows (codec, error))
    return FALSE;
  png_read_end (codec->png, codec->info);
  take_comment (codec);
  return ! *codec->failure || picture_decline (error, "libpng: %s", codec->failure);
}

static gboolean
read_png (Picture *picture, FILE *file, GError **error)
{
  Codec codec = { .picture = picture };
  gboolean done;

  codec.png = png_create_read_struct (PNG_LIBPNG_VER_STRING, &codec, jump, keep_warning);
  codec.info = codec.png ? png_create_info_struct (codec.png) : NULL;
  done = codec.info ? run_reader (&codec, file, error)
                    : picture_decline (error, "libpng cannot be started");
  png_destroy_read_struct (&codec.png, &codec.info, NULL);
  g_free (codec.rows);
  return done;
}

/* Writing. */

static int
get_colour_type (const Picture *picture)
{
  static const int types[] = { PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                               PNG_COLOR_TYPE_RGB_ALPHA };

  return types[picture->format.channels - 1];
}

static void
set_time (Codec *codec)
{
  time_t now = time (NULL);
  struct tm parts;
  png_time modified;

  png_convert_from_struct_tm (&modified, gmtime_r (&now, &parts));
  png_set_tIME (codec->png, codec->info, &modified);
}

static void
set_profile (Codec *codec)
{
  const Picture *picture = codec->picture;
  gsize length;
  gconstpointer icc = g_bytes_get_data (picture->icc, &length);

  png_set_iCCP (codec->png, codec->info,
                picture->profile_name ? picture->profile_name : "ICC profile", 0, icc,
                (png_uint_32) length);
}

/* In ISO 8859-1 where that has all letters. */
static void
set_comment (Codec *codec)
{
  const char *comment = codec->picture->comment;
  char key[] = "Comment";
  png_text text = { .key = key };
  gsize length;

  if (! comment || ! *comment)
    return;
  codec->words = g_convert (comment, -1, "ISO-8859-1", "UTF-8", NULL, &length, NULL);
  if (codec->words)
    {
      text.text_length = length;
      text.compression = length > PACKED_FROM ? PNG_TEXT_COMPRESSION_zTXt
                                              : PNG_TEXT_COMPRESSION_NONE;
    }
  else
    {
      codec->words = g_strdup (comment);
      text.itxt_length = strlen (comment);
      text.compression = text.itxt_length > PACKED_FROM ? PNG_ITXT_COMPRESSION_zTXt
                                                        : PNG_ITXT_COMPRESSION_NONE;
    }
  text.text = codec->words;
  png_set_text (codec->png, codec->info, &text, 1);
}

static void
write_head (Codec *codec)
{
  const Picture *picture = codec->picture;
  const png_color_16 white = { 0, 255, 255, 255, 255 };

  png_set_IHDR (codec->png, codec->info, (png_uint_32) picture->width,
                (png_uint_32) picture->height, (int) fx_sample_size (picture->format.sample) * 8,
                get_colour_type (picture), PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_BASE,
                PNG_FILTER_TYPE_BASE);
  png_set_compression_level (codec->png, LEVEL);
  png_set_bKGD (codec->png, codec->info, &white);
  png_set_pHYs (codec->png, codec->info, (png_uint_32) rint (picture->xres / METRES),
                (png_uint_32) rint (picture->yres / METRES), PNG_RESOLUTION_METER);
  set_time (codec);
  set_profile (codec);
  set_comment (codec);
  png_write_info (codec->png, codec->info);
}

/* GIMP empties pixels whose alpha is 0. It takes any four bytes for RGBA, so that of 16-bit grey
 * with alpha it empties all but the upper half of an alpha that is 0. */
static void
empty_pixels (guint8 *row, int width, int size)
{
  static const guint8 nothing[2] = { 0 };
  int colour = size * 3 / 4, x;

  for (x = 0; x < width; x++, row += size)
    if (memcmp (row + colour, nothing, (gsize) (size - colour)) == 0)
      memset (row, 0, (gsize) colour);
}

static void
write_rows (Codec *codec)
{
  const Picture *picture = codec->picture;
  gsize stride = picture_get_stride (picture);
  int size = (int) fx_format_size (&picture->format), y;

  codec->row = g_malloc (stride);
  for (y = 0; y < picture->height; y++)
    {
      memcpy (codec->row, picture->pixels + y * stride, stride);
      if (size == 4 || size == 8)
        empty_pixels (codec->row, picture->width, size);
      png_write_row (codec->png, codec->row);
    }
}

/* As run_reader. */
static gboolean
run_writer (Codec *codec, FILE *file, GError **error)
{
  if (setjmp (png_jmpbuf (codec->png)))
    return picture_refuse (error, "it cannot be written: libpng: %s", codec->failure);
  configure (codec);
  png_init_io (codec->png, file);
  write_head (codec);
  if (G_BYTE_ORDER == G_LITTLE_ENDIAN)
    png_set_swap (codec->png);
  write_rows (codec);
  png_write_end (codec->png, codec->info);
  return TRUE;
}

static gboolean
write_png (const Picture *picture, FILE *file, GError **error)
{
  Codec codec = { .picture = (Picture *) picture };
  gboolean done;

  codec.png = png_create_write_struct (PNG_LIBPNG_VER_STRING, &codec, jump, keep_warning);
  codec.info = codec.png ? png_create_info_struct (codec.png) : NULL;
  done = codec.info ? run_writer (&codec, file, error)
                    : picture_decline (error, "libpng cannot be started");
  png_destroy_write_struct (&codec.png, &codec.info);
  g_free (codec.words);
  g_free (codec.row);
  return done;
}

const Kind png_kind = {
  .extensions = " png ",
  .mime_type = "image/png",
  .has_alpha = TRUE,
  .has_thumbnail = TRUE,
  .deepest = FX_SAMPLE_U16,
  .read = read_png,
  .write = write_png,
};
