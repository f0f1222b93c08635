/* The raw tile calls are deprecated, and nothing in libgimp is faster. */
#define GIMP_DISABLE_DEPRECATION_WARNINGS

#include "gimp-copy.h"

#include <string.h>

#define EXTENSION "extension-cuda-blur-bench"
#define HELD_RAW  "cuda-blur-bench-held-raw"
#define HELD_GEGL "cuda-blur-bench-held-gegl"

static const GimpParamDef args[] = { { GIMP_PDB_INT32, "run-mode", "Non-interactive" },
                                     { GIMP_PDB_IMAGE, "image", "Image" },
                                     { GIMP_PDB_DRAWABLE, "drawable", "Layer" } };

/* The copies. */

/* Reads two rows of tiles and then writes them, as a streaming blur does. */
static void
copy_raw (gint32 id)
{
  GimpDrawable *drawable = gimp_drawable_get (id);
  gsize room = (gsize) gimp_tile_width () * gimp_tile_height () * drawable->bpp;
  int columns = drawable->ntile_cols, rows = drawable->ntile_rows, band = 2;
  guchar *pixels = g_malloc (room * columns * band);

  for (int top = 0; top < rows; top += band)
    {
      int end = MIN (top + band, rows) * columns;

      for (int i = top * columns; i < end; i++)
        {
          GimpTile *tile = gimp_drawable_get_tile (drawable, FALSE, i / columns, i % columns);

          gimp_tile_ref (tile);
          memcpy (pixels + (i - top * columns) * room, tile->data,
                  (gsize) tile->ewidth * tile->eheight * tile->bpp);
          gimp_tile_unref (tile, FALSE);
        }
      for (int i = top * columns; i < end; i++)
        {
          GimpTile *tile = gimp_drawable_get_tile (drawable, TRUE, i / columns, i % columns);

          gimp_tile_ref_zero (tile);
          memcpy (tile->data, pixels + (i - top * columns) * room,
                  (gsize) tile->ewidth * tile->eheight * tile->bpp);
          gimp_tile_unref (tile, TRUE);
        }
    }
  g_free (pixels);
  gimp_drawable_detach (drawable);
}

static void
copy_gegl (gint32 id)
{
  GeglBuffer *from = gimp_drawable_get_buffer (id), *to = gimp_drawable_get_shadow_buffer (id);
  const Babl *format = gegl_buffer_get_format (from);
  int width = gimp_drawable_width (id), height = gimp_drawable_height (id);
  int band = gimp_tile_height ();
  void *pixels = g_malloc ((gsize) width * band * babl_format_get_bytes_per_pixel (format));

  for (int y = 0; y < height; y += band)
    {
      GeglRectangle rect = { 0, y, width, MIN (band, height - y) };

      gegl_buffer_get (from, &rect, 1.0, format, pixels, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
      gegl_buffer_set (to, &rect, 0, format, pixels, GEGL_AUTO_ROWSTRIDE);
    }
  g_free (pixels);
  g_object_unref (from);
  g_object_unref (to); /* sends what is left of it */
}

/* The resident process. */

static void
run_held (const gchar *name, gint n_params, const GimpParam *param, gint *n_return_vals,
          GimpParam **return_vals)
{
  static GimpParam status = { .type = GIMP_PDB_STATUS };
  static gboolean has_gegl;
  gint32 drawable = param[2].data.d_drawable;

  if (strcmp (name, HELD_RAW) == 0)
    copy_raw (drawable);
  else
    {
      if (! has_gegl) /* once, in a call that nobody times */
        gegl_init (NULL, NULL);
      has_gegl = TRUE;
      copy_gegl (drawable);
    }
  gimp_drawable_merge_shadow (drawable, TRUE);
  gimp_drawable_update (drawable, 0, 0, gimp_drawable_width (drawable),
                        gimp_drawable_height (drawable));
  status.data.d_status = GIMP_PDB_SUCCESS;
  *n_return_vals = 1;
  *return_vals = &status;
}

static void
hold (void)
{
  gimp_plugin_enable_precision ();
  gimp_tile_cache_ntiles (0); /* each tile crosses once */
  gimp_install_temp_proc (HELD_RAW, "Copies a layer onto itself", "", "", "", "", NULL,
                          "RGB*, GRAY*", GIMP_TEMPORARY, G_N_ELEMENTS (args), 0, args, NULL,
                          run_held);
  gimp_install_temp_proc (HELD_GEGL, "Copies a layer onto itself", "", "", "", "", NULL,
                          "RGB*, GRAY*", GIMP_TEMPORARY, G_N_ELEMENTS (args), 0, args, NULL,
                          run_held);
  gimp_extension_ack ();
  for (;;)
    gimp_extension_process (0);
}

/* The procedures. */

static GimpPDBStatusType
forward (const char *held, const GimpParam *param)
{
  int n;
  GimpParam *values = gimp_run_procedure2 (held, &n, G_N_ELEMENTS (args), param);
  GimpPDBStatusType status = values ? values[0].data.d_status : GIMP_PDB_CALLING_ERROR;

  gimp_destroy_params (values, n);
  return status;
}

void
copy_query (void)
{
  gimp_install_procedure (EXTENSION, "Holds the copies", "", "", "", "", NULL, NULL, GIMP_EXTENSION,
                          0, 0, NULL, NULL);
  gimp_install_procedure (COPY_RAW, "Copies a layer onto itself", "", "", "", "", NULL,
                          "RGB*, GRAY*", GIMP_PLUGIN, G_N_ELEMENTS (args), 0, args, NULL);
  gimp_install_procedure (COPY_GEGL, "Copies a layer onto itself", "", "", "", "", NULL,
                          "RGB*, GRAY*", GIMP_PLUGIN, G_N_ELEMENTS (args), 0, args, NULL);
}

gboolean
copy_run (const char *name, const GimpParam *param, GimpPDBStatusType *status)
{
  if (strcmp (name, EXTENSION) == 0)
    hold ();
  else if (strcmp (name, COPY_RAW) == 0)
    *status = forward (HELD_RAW, param);
  else if (strcmp (name, COPY_GEGL) == 0)
    *status = forward (HELD_GEGL, param);
  else
    return FALSE;
  return TRUE;
}
