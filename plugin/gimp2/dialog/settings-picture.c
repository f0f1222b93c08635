#include "settings-picture.h"

#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>
#include <libgimp/gimpui.h>
#include <math.h>

#define SIZE  97 /* in pixels; odd */
#define GAMMA 2.2

typedef struct {
  GtkWidget *area;
  float values[SIZE * SIZE];
} Picture;

/* Draws light on black, as it is in an image, in every theme. A screen shows the power GAMMA of
 * what it is given. */
static cairo_surface_t *
make_surface (const Picture *picture)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, SIZE, SIZE);
  guint8 *data = cairo_image_surface_get_data (surface);
  int stride = cairo_image_surface_get_stride (surface), x;

  for (int y = 0; data && y < SIZE; y++)
    for (x = 0; x < SIZE; x++)
      {
        float value = CLAMP (picture->values[y * SIZE + x], 0.0f, 1.0f);
        guint32 grey = (guint32) (255.0 * pow (value, 1.0 / GAMMA) + 0.5);

        ((guint32 *) (gpointer) (data + y * stride))[x] = grey << 16 | grey << 8 | grey;
      }
  cairo_surface_mark_dirty (surface);
  return surface;
}

static gboolean
settings_picture_draw (GtkWidget *area, GdkEventExpose *event, Picture *picture)
{
  cairo_t *context = gdk_cairo_create (gtk_widget_get_window (area));
  cairo_surface_t *surface = make_surface (picture);

  gdk_cairo_region (context, event->region);
  cairo_clip (context);
  cairo_set_source_surface (context, surface, 0.0, 0.0);
  cairo_paint (context);
  cairo_surface_destroy (surface);
  cairo_destroy (context);
  return TRUE;
}

static GtkWidget *
settings_picture_make_area (Picture *picture, const char *label)
{
  GtkWidget *area = gtk_drawing_area_new ();
  AtkObject *accessible = gtk_widget_get_accessible (area);

  atk_object_set_role (accessible, ATK_ROLE_IMAGE);
  atk_object_set_name (accessible, label);
  gimp_help_set_help_data (area, label, NULL);
  gtk_widget_set_size_request (area, SIZE, SIZE);
  g_signal_connect (area, "expose-event", G_CALLBACK (settings_picture_draw), picture);
  picture->area = area;
  return area;
}

/* The frame is no wider than the picture, and in the middle of the room that it gets. */
GtkWidget *
settings_picture_new (const FilterSettings *settings)
{
  const char *label = _ (filter_settings_get_filter (settings)->picture_label);
  Picture *picture = g_new0 (Picture, 1);
  GtkWidget *place = gtk_alignment_new (0.5, 0.5, 0.0, 0.0), *frame = gtk_frame_new (NULL);

  gtk_frame_set_shadow_type (GTK_FRAME (frame), GTK_SHADOW_IN);
  gtk_container_add (GTK_CONTAINER (frame), settings_picture_make_area (picture, label));
  gtk_container_add (GTK_CONTAINER (place), frame);
  g_object_set_data_full (G_OBJECT (place), "picture", picture, g_free);
  settings_picture_show (place, settings);
  return place;
}

void
settings_picture_show (GtkWidget *place, const FilterSettings *settings)
{
  Picture *picture = g_object_get_data (G_OBJECT (place), "picture");

  filter_settings_get_filter (settings)->draw_picture (settings, SIZE, picture->values);
  gtk_widget_queue_draw (picture->area);
}
