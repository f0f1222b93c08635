#include "jpeg.h"

#include "image-error.h"

#include <glib/gstdio.h>
#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

#include <jerror.h>

#define MOST_SCANS 500 /* that are no attack: each goes through the whole image */

typedef struct {
  struct jpeg_error_mgr manager; /* first, so that a pointer to it is one to this */
  struct jpeg_progress_mgr progress;
  char message[JMSG_LENGTH_MAX];
  jmp_buf end;
} Check;

static void
fail (j_common_ptr decoder)
{
  Check *check = (Check *) decoder->err;

  check->manager.format_message (decoder, check->message);
  longjmp (check->end, 1);
}

/* libjpeg warns by a level below 0, and goes on. Harmless are strange versions, parameters of a
 * scan that mean nothing, and bytes between segments; before a restart marker, they are pixels. */
static void
hear (j_common_ptr decoder, int level)
{
  const struct jpeg_error_mgr *said = decoder->err;
  int marker = said->msg_code == JWRN_EXTRANEOUS_DATA ? said->msg_parm.i[1] : 0;

  if (level < 0 && said->msg_code != JWRN_ADOBE_XFORM && said->msg_code != JWRN_JFIF_MAJOR &&
      said->msg_code != JWRN_NOT_SEQUENTIAL &&
      (marker == 0 || (marker >= JPEG_RST0 && marker <= JPEG_RST0 + 7)))
    fail (decoder);
}

static void
watch (j_common_ptr decoder)
{
  if (((j_decompress_ptr) decoder)->input_scan_number > MOST_SCANS)
    {
      decoder->err->msg_code = JERR_BAD_PROGRESSION;
      fail (decoder);
    }
}

/* Decodes one pixel of each block, which reads all data. */
static void
decode (j_decompress_ptr decoder, FILE *file, guint64 memory)
{
  JSAMPARRAY row;

  decoder->mem->max_memory_to_use = (long) MIN (memory, G_MAXLONG);
  jpeg_stdio_src (decoder, file);
  jpeg_read_header (decoder, TRUE);
  if (decoder->data_precision != 8 || decoder->arith_code ||
      decoder->jpeg_color_space == JCS_UNKNOWN)
    ERREXIT (decoder, JERR_SOF_UNSUPPORTED); /* libvips is not trusted with it */
  decoder->out_color_space = decoder->jpeg_color_space;
  decoder->scale_denom = 8;
  jpeg_start_decompress (decoder);
  row = decoder->mem->alloc_sarray ((j_common_ptr) decoder, JPOOL_IMAGE,
                                    decoder->output_width * (JDIMENSION) decoder->output_components,
                                    1);
  while (decoder->output_scanline < decoder->output_height)
    jpeg_read_scanlines (decoder, row, 1);
}

gboolean
jpeg_check (const char *path, guint64 memory, GError **error)
{
  FILE *file = g_fopen (path, "rb");
  struct jpeg_decompress_struct decoder = { 0 };
  Check check = { .progress.progress_monitor = watch };

  if (! file)
    return TRUE; /* libvips says why */
  decoder.err = jpeg_std_error (&check.manager);
  check.manager.error_exit = fail;
  check.manager.emit_message = hear;
  if (setjmp (check.end) == 0)
    {
      jpeg_create_decompress (&decoder);
      decoder.progress = &check.progress;
      decode (&decoder, file, memory);
    }
  jpeg_destroy_decompress (&decoder);
  fclose (file);
  if (! *check.message)
    return TRUE;
  switch (check.manager.msg_code)
    {
    case JERR_NO_BACKING_STORE:
      return image_set_no_memory (error);
    case JERR_SOF_UNSUPPORTED:
    case JERR_BAD_PRECISION:
    case JERR_ARITH_NOTIMPL:
      return image_set_kind ("this kind of JPEG", error);
    default:
      return image_fail (error, IMAGE_ERROR_DAMAGED, "%s", check.message);
    }
}
