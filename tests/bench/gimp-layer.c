#define GIMP_DISABLE_DEPRECATION_WARNINGS

#include "gimp-layer.h"

#include <string.h>

/* No two tiles are alike, so that nothing of GIMP's can share them. */
static void
fill_tile (const GimpTile *tile, int left, int top, gboolean is_float, guint32 *random)
{
  int samples = tile->ewidth * tile->eheight * 4;
  float *floats = (float *) (void *) tile->data;

  for (int i = 0; i < samples; i++)
    {
      int x = left + i / 4 % (int) tile->ewidth, y = top + i / 4 / (int) tile->ewidth, c = i % 4;
      float smooth = c == 3 ? 0.9f : (float) (x * (c + 1) % 1024 + y % 512) / 1536;
      float value;

      *random ^= *random << 13;
      *random ^= *random >> 17;
      *random ^= *random << 5;
      value = 0.8f * smooth + 0.1f + 0.1f * (*random >> 8) / (1 << 24);
      if (is_float)
        floats[i] = value;
      else
        tile->data[i] = (guchar) (value * 255.0f + 0.5f);
    }
}

static void
fill (const Layer *layer, gboolean is_float)
{
  GimpDrawable *drawable = gimp_drawable_get (layer->drawable);
  guint32 random = 1;

  for (guint row = 0; row < drawable->ntile_rows; row++)
    for (guint column = 0; column < drawable->ntile_cols; column++)
      {
        GimpTile *tile = gimp_drawable_get_tile (drawable, FALSE, row, column);

        gimp_tile_ref_zero (tile);
        fill_tile (tile, column * gimp_tile_width (), row * gimp_tile_height (), is_float, &random);
        gimp_tile_unref (tile, TRUE);
      }
  gimp_drawable_flush (drawable);
  gimp_drawable_detach (drawable);
  gimp_drawable_update (layer->drawable, 0, 0, layer->width, layer->height);
}

Layer
layer_new (int width, int height, const char *format)
{
  gboolean is_float = strcmp (format, "float") == 0;
  Layer layer = { .width = width, .height = height, .format = format };

  layer.image = gimp_image_new_with_precision (width, height, GIMP_RGB,
                                               is_float ? GIMP_PRECISION_FLOAT_LINEAR
                                                        : GIMP_PRECISION_U8_GAMMA);
  layer.drawable = gimp_layer_new (layer.image, "bench", width, height, GIMP_RGBA_IMAGE, 100,
                                   GIMP_LAYER_MODE_NORMAL);
  gimp_image_insert_layer (layer.image, layer.drawable, -1, 0);
  fill (&layer, is_float);
  return layer;
}
