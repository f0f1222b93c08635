#include "jpeg.h"

#include <jerror.h>
#include <jpeglib.h>
#include <setjmp.h>
#include <string.h>

#define QUALITY 90 /* GIMP's, as are all other settings here */

/* libjpeg ends a call that fails by a jump. */
typedef struct {
  struct jpeg_error_mgr manager; /* first: libjpeg knows it alone */
  jmp_buf jump;
} Failures;

static void
jump (j_common_ptr info)
{
  longjmp (((Failures *) info->err)->jump, 1);
}

/* What cameras and other programs do, and leaves the pixels whole: bytes between two parts of the
 * file that belong to neither, and numbers in heads that are not used. */
static gboolean
is_harmless (const struct jpeg_error_mgr *manager)
{
  switch (manager->msg_code)
    {
    case JWRN_EXTRANEOUS_DATA:
      return (manager->msg_parm.i[1] & ~7) != JPEG_RST0;
    case JWRN_ADOBE_XFORM:
    case JWRN_BOGUS_ICC:
    case JWRN_BOGUS_PROGRESSION:
    case JWRN_JFIF_MAJOR:
    case JWRN_NOT_SEQUENTIAL:
      return TRUE;
    default:
      return FALSE;
    }
}

/* What follows on damage is made up, and there may be much of it. A level of 0 and more is a trace.
 */
static void
heed_warning (j_common_ptr info, int level)
{
  if (level >= 0)
    return;
  info->err->num_warnings++;
  if (! is_harmless (info->err))
    jump (info);
}

static struct jpeg_error_mgr *
failures_init (Failures *failures)
{
  jpeg_std_error (&failures->manager);
  failures->manager.error_exit = jump;
  failures->manager.emit_message = heed_warning;
  return &failures->manager;
}

/* Reading. */

typedef struct {
  struct jpeg_decompress_struct info;
  Failures failures;
  Picture *picture;
} Reader;

static gboolean
tell_read (Reader *reader, GError **error)
{
  char words[JMSG_LENGTH_MAX];

  reader->info.err->format_message ((j_common_ptr) &reader->info, words);
  return picture_fail_to_read (reader->picture, "libjpeg", words, error);
}

/* GIMP takes no other byte for text that is no UTF-8. */
static void
clean_comment (char *comment)
{
  const char *invalid;
  guchar *c;

  if (g_utf8_validate (comment, -1, &invalid))
    return;
  for (c = (guchar *) comment + (invalid - comment); *c; c++)
    if (*c > 126 || (*c < 32 && ! strchr ("\t\n\r", *c)))
      *c = '?';
}

static void
take_comment (Reader *reader)
{
  GString *text = NULL;
  jpeg_saved_marker_ptr marker;

  for (marker = reader->info.marker_list; marker; marker = marker->next)
    if (marker->marker == JPEG_COM)
      {
        if (text)
          g_string_append_c (text, '\n');
        else
          text = g_string_new (NULL);
        g_string_append_len (text, (const char *) marker->data, marker->data_length);
      }
  if (! text)
    return;
  clean_comment (text->str);
  reader->picture->comment = g_string_free (text, text->len == 0);
}

static void
take_resolution (Reader *reader)
{
  const struct jpeg_decompress_struct *info = &reader->info;
  Picture *picture = reader->picture;
  double x = info->X_density, y = info->Y_density;

  if (! info->saw_JFIF_marker || x == 0.0 || y == 0.0)
    return;
  picture->has_resolution = TRUE;
  if (info->density_unit == 0) /* the shape of the pixels */
    picture_set_resolution (picture, picture->xres * (x / y), picture->yres);
  else if (info->density_unit == 2)
    picture_set_resolution (picture, x * 2.54, y * 2.54);
  else
    picture_set_resolution (picture, x, y);
  picture->metric = info->density_unit == 2;
}

static void
take_profile (Reader *reader)
{
  JOCTET *data;
  unsigned int length;

  if (jpeg_read_icc_profile (&reader->info, &data, &length))
    reader->picture->icc = g_bytes_new_with_free_func (data, length, free, data);
}

static gboolean
take_format (Reader *reader, GError **error)
{
  const struct jpeg_decompress_struct *info = &reader->info;
  gboolean grey = info->out_color_space == JCS_GRAYSCALE;

  reader->picture->width = (int) info->image_width;
  reader->picture->height = (int) info->image_height;
  if (! grey && info->out_color_space != JCS_RGB)
    return picture_decline (error, "It is neither RGB nor grey");
  reader->picture->format = (FxFormat) { .sample = FX_SAMPLE_U8,
                                         .channels = grey ? 1 : 3,
                                         .gamma = TRUE };
  return TRUE;
}

/* GIMP takes these three kinds of markers, and transforms in floating point. */
static void
read_head (Reader *reader, FILE *file)
{
  jpeg_stdio_src (&reader->info, file);
  jpeg_save_markers (&reader->info, JPEG_COM, 0xffff);
  jpeg_save_markers (&reader->info, JPEG_APP0 + 1, 0xffff);
  jpeg_save_markers (&reader->info, JPEG_APP0 + 2, 0xffff);
  jpeg_read_header (&reader->info, TRUE);
  reader->info.dct_method = JDCT_FLOAT;
}

static void
read_rows (Reader *reader)
{
  struct jpeg_decompress_struct *info = &reader->info;
  gsize stride = picture_get_stride (reader->picture);

  jpeg_start_decompress (info);
  while (info->output_scanline < info->output_height)
    {
      JSAMPROW row = reader->picture->pixels + info->output_scanline * stride;

      jpeg_read_scanlines (info, &row, 1);
    }
  jpeg_finish_decompress (info);
}

/* Holds the jump: nothing that is to be freed is a variable here. */
static gboolean
run_reader (Reader *reader, FILE *file, GError **error)
{
  if (setjmp (reader->failures.jump))
    return tell_read (reader, error);
  jpeg_create_decompress (&reader->info);
  read_head (reader, file);
  if (! take_format (reader, error) || ! picture_allocate (reader->picture, error))
    return FALSE;
  take_comment (reader);
  take_resolution (reader);
  take_profile (reader);
  read_rows (reader);
  if (reader->info.err->num_warnings > 0)
    return picture_decline (error, "It has what belongs to no part of it");
  return TRUE;
}

static gboolean
read_jpeg (Picture *picture, FILE *file, GError **error)
{
  Reader reader = { .picture = picture };
  gboolean done;

  reader.info.err = failures_init (&reader.failures);
  done = run_reader (&reader, file, error);
  jpeg_destroy_decompress (&reader.info);
  return done;
}

/* Writing. */

typedef struct {
  struct jpeg_compress_struct info;
  Failures failures;
  const Picture *picture;
} Writer;

static gboolean
tell_written (Writer *writer, GError **error)
{
  char words[JMSG_LENGTH_MAX];

  writer->info.err->format_message ((j_common_ptr) &writer->info, words);
  return picture_refuse (error, "it cannot be written: libjpeg: %s", words);
}

/* Of one that does not fit GIMP keeps the lower 16 bits. */
static void
set_resolution (Writer *writer)
{
  const Picture *picture = writer->picture;
  double unit = picture->metric ? 2.54 : 1.0;

  writer->info.density_unit = picture->metric ? 2 : 1;
  writer->info.X_density = (UINT16) (guint) (picture->xres / unit);
  writer->info.Y_density = (UINT16) (guint) (picture->yres / unit);
}

static void
configure (Writer *writer)
{
  struct jpeg_compress_struct *info = &writer->info;
  gboolean grey = writer->picture->format.channels == 1;
  int i;

  info->image_width = (JDIMENSION) writer->picture->width;
  info->image_height = (JDIMENSION) writer->picture->height;
  info->input_components = writer->picture->format.channels;
  info->in_color_space = grey ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults (info);
  jpeg_set_quality (info, QUALITY, TRUE);
  info->optimize_coding = TRUE;
  jpeg_simple_progression (info);
  for (i = 0; i < info->num_components; i++)
    info->comp_info[i].h_samp_factor = info->comp_info[i].v_samp_factor = 1;
  set_resolution (writer);
}

static void
write_head (Writer *writer)
{
  const Picture *picture = writer->picture;
  gsize length;
  gconstpointer icc = g_bytes_get_data (picture->icc, &length);

  jpeg_start_compress (&writer->info, TRUE);
  if (picture->comment && *picture->comment)
    jpeg_write_marker (&writer->info, JPEG_COM, (const JOCTET *) picture->comment,
                       (unsigned int) strlen (picture->comment));
  jpeg_write_icc_profile (&writer->info, icc, (unsigned int) length);
}

static void
write_rows (Writer *writer)
{
  struct jpeg_compress_struct *info = &writer->info;
  gsize stride = picture_get_stride (writer->picture);

  while (info->next_scanline < info->image_height)
    {
      JSAMPROW row = writer->picture->pixels + info->next_scanline * stride;

      jpeg_write_scanlines (info, &row, 1);
    }
  jpeg_finish_compress (info);
}

/* As run_reader. */
static gboolean
run_writer (Writer *writer, FILE *file, GError **error)
{
  if (setjmp (writer->failures.jump))
    return tell_written (writer, error);
  jpeg_create_compress (&writer->info);
  jpeg_stdio_dest (&writer->info, file);
  configure (writer);
  write_head (writer);
  write_rows (writer);
  return TRUE;
}

static gboolean
write_jpeg (const Picture *picture, FILE *file, GError **error)
{
  Writer writer = { .picture = picture };
  gboolean done;

  writer.info.err = failures_init (&writer.failures);
  done = run_writer (&writer, file, error);
  jpeg_destroy_compress (&writer.info);
  return done;
}

const Kind jpeg_kind = {
  .extensions = " jpg jpeg jpe ",
  .mime_type = "image/jpeg",
  .has_thumbnail = TRUE,
  .deepest = FX_SAMPLE_U8,
  .codec_bytes = 6,
  .read = read_jpeg,
  .write = write_jpeg,
};
