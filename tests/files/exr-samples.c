/* exr-samples FOLDER: EXRs of each lossless compression, by OpenEXR itself. (ImageMagick lacks the
 * format unless a package that it does not depend on is there, and then writes another.) Their
 * channels are half floats; the last one has alpha. */
#include <glib.h>
#include <openexr.h>
#include <stdlib.h>

#define WIDTH  121
#define HEIGHT 83 /* no multiple of any compression's rows */

static const struct {
  const char *name;
  exr_compression_t compression;
  const char *const *channels;
} samples[] = {
  { "exr-None", EXR_COMPRESSION_NONE, (const char *const[]) { "B", "G", "R", NULL } },
  { "exr-RLE", EXR_COMPRESSION_RLE, (const char *const[]) { "B", "G", "R", NULL } },
  { "exr-Zip", EXR_COMPRESSION_ZIP, (const char *const[]) { "B", "G", "R", NULL } },
  { "exr-PIZ", EXR_COMPRESSION_PIZ, (const char *const[]) { "B", "G", "R", NULL } },
  { "exr-Pxr24", EXR_COMPRESSION_PXR24, (const char *const[]) { "A", "B", "G", "R", NULL } },
};

/* OpenEXR has said what is wrong. */
static void
check (exr_result_t result)
{
  if (result != EXR_ERR_SUCCESS)
    exit (EXIT_FAILURE);
}

/* The bits of half floats from 1/8 to 1: a slope that repeats, with some noise. */
static void
fill (guint16 *pixels)
{
  int i;

  for (i = 0; i < WIDTH * HEIGHT; i++)
    pixels[i] = (guint16) (0x3000 + (i % WIDTH * 40 + i / WIDTH * 30) % 0xbc0 + rand () % 0x40);
}

static void
write_chunks (exr_context_t context, guint16 planes[][WIDTH * HEIGHT])
{
  exr_encode_pipeline_t pipeline = EXR_ENCODE_PIPELINE_INITIALIZER;
  exr_chunk_info_t chunk;
  int rows, row, i;

  check (exr_get_scanlines_per_chunk (context, 0, &rows));
  for (row = 0; row < HEIGHT; row += rows)
    {
      check (exr_write_scanline_chunk_info (context, 0, row, &chunk));
      check (row == 0 ? exr_encoding_initialize (context, 0, &chunk, &pipeline)
                      : exr_encoding_update (context, 0, &chunk, &pipeline));
      for (i = 0; i < pipeline.channel_count; i++)
        {
          pipeline.channels[i].encode_from_ptr = (const uint8_t *) (planes[i] + row * WIDTH);
          pipeline.channels[i].user_pixel_stride = sizeof (guint16);
          pipeline.channels[i].user_line_stride = WIDTH * sizeof (guint16);
        }
      if (row == 0)
        check (exr_encoding_choose_default_routines (context, 0, &pipeline));
      check (exr_encoding_run (context, 0, &pipeline));
    }
  check (exr_encoding_destroy (context, &pipeline));
}

static void
write_sample (const char *path, exr_compression_t compression, const char *const *channels)
{
  static guint16 planes[4][WIDTH * HEIGHT];
  exr_context_initializer_t initializer = EXR_DEFAULT_CONTEXT_INITIALIZER;
  exr_context_t context;
  int part, i;

  check (exr_start_write (&context, path, EXR_WRITE_FILE_DIRECTLY, &initializer));
  check (exr_add_part (context, NULL, EXR_STORAGE_SCANLINE, &part));
  check (exr_initialize_required_attr_simple (context, part, WIDTH, HEIGHT, compression));
  for (i = 0; channels[i]; i++)
    {
      fill (planes[i]);
      check (exr_add_channel (context, part, channels[i], EXR_PIXEL_HALF,
                              EXR_PERCEPTUALLY_LOGARITHMIC, 1, 1));
    }
  check (exr_write_header (context));
  write_chunks (context, planes);
  check (exr_finish (&context));
}

int
main (int argc, char **argv)
{
  gsize i;

  for (i = 0; argc == 2 && i < G_N_ELEMENTS (samples); i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/%s.exr", argv[1], samples[i].name);

      write_sample (path, samples[i].compression, samples[i].channels);
    }
  return argc == 2 ? EXIT_SUCCESS : 2;
}
