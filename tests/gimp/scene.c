#include "scene.h"

#define SHOWN "Gaussian Blur (CUDA) preview of "

static gint32
add_layer (gint32 image, gint32 parent, GimpImageType type, int width, int height, GRand *rand)
{
  gint32 layer = gimp_layer_new (image, "other", width, height, type, 60.0, GIMP_LAYER_MODE_NORMAL);

  gimp_image_insert_layer (image, layer, parent, 0);
  subject_fill (layer, rand);
  return layer;
}

Subject
scene_new (GimpPrecision precision, GimpImageType type, GRand *rand)
{
  Subject subject = subject_new (precision, type, 290, 250, rand);
  gint32 group = gimp_layer_group_new (subject.image), mask;

  gimp_image_resize (subject.image, 330, 280, 20, 15);
  gimp_image_insert_layer (subject.image, group, -1, 0);
  gimp_layer_set_opacity (group, 90.0);
  add_layer (subject.image, -1, type, 330, 280, rand);
  gimp_image_lower_item_to_bottom (subject.image, gimp_image_get_active_layer (subject.image));
  add_layer (subject.image, group, type, 200, 200, rand);
  gimp_image_reorder_item (subject.image, subject.drawable, group, 0);
  add_layer (subject.image, group, type, 120, 90, rand);
  gimp_layer_set_offsets (subject.drawable, 13, -7);
  gimp_layer_set_opacity (subject.drawable, 70.0);
  gimp_layer_set_mode (subject.drawable, GIMP_LAYER_MODE_HARDLIGHT);
  mask = gimp_layer_create_mask (subject.drawable, GIMP_ADD_MASK_WHITE);
  gimp_layer_add_mask (subject.drawable, mask);
  subject_fill (mask, rand);
  gimp_layer_set_edit_mask (subject.drawable, FALSE);
  gimp_item_set_linked (subject.drawable, TRUE);
  gimp_image_set_active_layer (subject.image, subject.drawable);
  gimp_image_clean_all (subject.image);
  return subject;
}

Raster *
scene_see (gint32 image)
{
  gint32 layer = gimp_layer_new_from_visible (image, image, "seen");
  Raster *raster = subject_read (layer);

  gimp_item_delete (layer);
  return raster;
}

static char *
get_sum (gint32 drawable)
{
  g_autoptr (Raster) raster = drawable == -1 ? NULL : subject_read (drawable);

  if (! raster)
    return g_strdup ("-");
  return g_compute_checksum_for_data (G_CHECKSUM_MD5, raster->pixels, raster_bytes (raster));
}

static void describe_layers (GString *text, int n, gint *layers);

static void
describe_layer (GString *text, gint32 layer)
{
  g_autofree char *name = gimp_item_get_name (layer);
  g_autofree char *sum = get_sum (gimp_item_is_group (layer) ? -1 : layer); /* groups' come late */
  g_autofree char *mask_sum = get_sum (gimp_layer_get_mask (layer));
  gint x, y, n, *children;

  gimp_drawable_offsets (layer, &x, &y);
  g_string_append_printf (text,
                          "%d '%s' %dx%d%+d%+d visible %d linked %d locks %d%d%d opacity %g "
                          "mode %d edit mask %d, %s, mask %s\n",
                          layer, name, gimp_drawable_width (layer), gimp_drawable_height (layer), x,
                          y, gimp_item_get_visible (layer), gimp_item_get_linked (layer),
                          gimp_item_get_lock_content (layer), gimp_item_get_lock_position (layer),
                          gimp_layer_get_lock_alpha (layer), gimp_layer_get_opacity (layer),
                          gimp_layer_get_mode (layer), gimp_layer_get_edit_mask (layer), sum,
                          mask_sum);
  if (gimp_item_is_group (layer))
    {
      children = gimp_item_get_children (layer, &n);
      describe_layers (text, n, children);
    }
}

/* Takes layers. */
static void
describe_layers (GString *text, int n, gint *layers)
{
  for (int i = 0; i < n; i++)
    describe_layer (text, layers[i]);
  g_string_append (text, ".\n");
  g_free (layers);
}

char *
scene_describe (gint32 image)
{
  GString *text = g_string_new (NULL);
  gint n, *layers = gimp_image_get_layers (image, &n);

  describe_layers (text, n, layers);
  g_string_append_printf (text, "active layer %d, channel %d; undo %d",
                          gimp_image_get_active_layer (image),
                          gimp_image_get_active_channel (image),
                          gimp_image_undo_is_enabled (image));
  return g_string_free (text, FALSE);
}

static gint32
find_shown (int n, gint *layers)
{
  gint32 found = -1;

  for (int i = 0; i < n && found == -1; i++)
    {
      g_autofree char *name = gimp_item_get_name (layers[i]);
      gint n_children = 0, *children;

      if (g_str_has_prefix (name, SHOWN))
        found = layers[i];
      else if (gimp_item_is_group (layers[i]))
        {
          children = gimp_item_get_children (layers[i], &n_children);
          found = find_shown (n_children, children);
        }
    }
  g_free (layers);
  return found;
}

gint32
scene_find_shown (gint32 image)
{
  gint n, *layers = gimp_image_get_layers (image, &n);

  return find_shown (n, layers);
}

Subject
scene_copy (Subject subject)
{
  g_autofree char *name = gimp_item_get_name (subject.drawable);
  gint32 image = gimp_image_duplicate (subject.image);

  return (Subject) { image, gimp_image_get_layer_by_name (image, name) };
}
