#include "designer-preview.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define SIZE        440 /* of what is shown, in pixels, at least */
#define LABEL_WIDTH 50  /* in characters */

struct DesignerPreview {
  GimpDrawable *drawable;
  FilterSettings *settings; /* NULL: nothing to show */
  FxEngine *engine;
  FxFormat format;
  const Babl *read;  /* the same format, in the drawable's space */
  const Babl *shown; /* what GIMP's widget takes */
  GtkWidget *widget, *view;
  GtkWidget *reason; /* why there is no result */
};

/* A part of the drawable that is being computed. */
typedef struct {
  const DesignerPreview *preview;
  GeglBuffer *buffer; /* the drawable's */
  FxRect region;
  float *result; /* of the region */
} Part;

/* Formats. */

/* Coverage is filtered as it is stored. Colour goes through sRGB's curve, whatever the curve of its
 * space: its light is the same. */
static const char *
get_model (GimpDrawable *drawable)
{
  const char *encoding = babl_format_get_encoding (gimp_drawable_get_format (drawable));
  gboolean alpha = gimp_drawable_has_alpha (drawable);

  if (! gimp_item_is_layer (GIMP_ITEM (drawable)))
    return strpbrk (encoding, "'~") ? "Y'" : "Y";
  if (gimp_drawable_is_gray (drawable))
    return alpha ? "Y~A" : "Y~";
  return alpha ? "R~G~B~A" : "R~G~B~";
}

/* Whoever works on the image may convert it. */
static void
set_formats (DesignerPreview *preview)
{
  static const char *const shown[] = { NULL, "Y' u8", "Y'A u8", "R'G'B' u8", "R'G'B'A u8" };
  const Babl *stored = gimp_drawable_get_format (preview->drawable);
  const char *model = get_model (preview->drawable);
  g_autofree char *read = g_strconcat (model, " float", NULL);
  gboolean coverage = ! gimp_item_is_layer (GIMP_ITEM (preview->drawable));
  int channels;

  preview->read = babl_format_with_space (read, babl_format_get_space (stored));
  channels = babl_format_get_n_components (preview->read);
  preview->format = (FxFormat) { FX_SAMPLE_FLOAT, channels, ! coverage };
  preview->shown = coverage ? babl_format (model[1] ? "Y' u8" : "Y u8")
                            : babl_format (shown[channels]);
}

/* Computing. */

static gboolean
designer_preview_read (gpointer data, const FxRect *rect, gpointer pixels, gsize stride,
                       GError **error)
{
  const Part *part = data;
  const GeglRectangle place = { rect->x, rect->y, rect->width, rect->height };

  gegl_buffer_get (part->buffer, &place, 1.0, part->preview->read, pixels, (int) stride,
                   GEGL_ABYSS_NONE);
  return TRUE;
}

static gboolean
designer_preview_write (gpointer data, const FxRect *rect, gconstpointer pixels, gsize stride,
                        GError **error)
{
  const Part *part = data;
  gsize pixel = (gsize) part->preview->format.channels;
  gsize width = (gsize) part->region.width;

  for (int y = 0; y < rect->height; y++)
    memcpy (part->result + ((gsize) (rect->y - part->region.y + y) * width +
                            (gsize) (rect->x - part->region.x)) *
                             pixel,
            (const char *) pixels + (gsize) y * stride,
            (gsize) rect->width * pixel * sizeof (float));
  return TRUE;
}

static gboolean
read_part (Part *part)
{
  gsize row = (gsize) part->region.width * fx_format_size (&part->preview->format);

  return designer_preview_read (part, &part->region, part->result, row, NULL);
}

static gboolean
compute (DesignerPreview *preview, Part *part, GError **error)
{
  const FilterSettings *settings = preview->settings;
  gboolean coverage = ! gimp_item_is_layer (GIMP_ITEM (preview->drawable));
  const FxImage image = { .format = preview->format,
                          .width = gegl_buffer_get_width (part->buffer),
                          .height = gegl_buffer_get_height (part->buffer),
                          .region = part->region,
                          .read = designer_preview_read,
                          .write = designer_preview_write,
                          .data = part };
  const FxGeometry geometry = { .width = image.width, .height = image.height };
  g_autoptr (FxPlan)
    plan = filter_settings_make_plan (settings, &image.format, &geometry, coverage);

  return fx_engine_run (preview->engine, plan, filter_settings_get_device (settings), &image, NULL,
                        error);
}

/* Drawing. */

static void
draw (const DesignerPreview *preview, const Part *part)
{
  int pixels = part->region.width * part->region.height;
  int pixel = babl_format_get_bytes_per_pixel (preview->shown);
  g_autofree guchar *bytes = g_malloc_n ((gsize) pixels, (gsize) pixel);

  babl_process (babl_fish (preview->read, preview->shown), part->result, bytes, pixels);
  gimp_preview_draw_buffer (GIMP_PREVIEW (preview->view), bytes, part->region.width * pixel);
}

/* Without the preview, GIMP's widget is to draw the layer by itself, which that of GIMP 3.0.4 does
 * not. */
static void
update (DesignerPreview *preview)
{
  g_autoptr (GeglBuffer) buffer = NULL;
  g_autofree float *result = NULL;
  g_autoptr (GError) error = NULL;
  Part part = { .preview = preview };
  FxRect *region = &part.region;

  if (! preview->settings || ! gimp_item_is_valid (GIMP_ITEM (preview->drawable)))
    return;
  set_formats (preview);
  buffer = gimp_drawable_get_buffer (preview->drawable);
  gimp_preview_get_position (GIMP_PREVIEW (preview->view), &region->x, &region->y);
  gimp_preview_get_size (GIMP_PREVIEW (preview->view), &region->width, &region->height);
  if (! buffer)
    return;
  result = g_new (float, (gsize) (region->width * region->height * preview->format.channels));
  part.buffer = buffer;
  part.result = result;
  if (gimp_preview_get_update (GIMP_PREVIEW (preview->view)) ? compute (preview, &part, &error)
                                                             : read_part (&part))
    draw (preview, &part);
  gtk_label_set_text (GTK_LABEL (preview->reason), error ? error->message : "");
}

/* The widget. */

static GtkWidget *
make_label (const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0.0);
  gtk_label_set_line_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), LABEL_WIDTH);
  return label;
}

DesignerPreview *
designer_preview_new (GimpDrawable *drawable)
{
  DesignerPreview *preview = g_new0 (DesignerPreview, 1);
  const char *hint = _ (
    "For zoom and a split view, press OK with As an effect, then edit the effect "
    "in the layer's list");

  preview->drawable = drawable;
  preview->engine = fx_engine_new ();
  fx_engine_enable_warm_up (preview->engine);
  preview->view = gimp_drawable_preview_new_from_drawable (drawable);
  preview->reason = make_label (NULL);
  preview->widget = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  gtk_widget_set_size_request (preview->view, SIZE, SIZE);
  gtk_box_pack_start (GTK_BOX (preview->widget), preview->view, TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (preview->widget), preview->reason, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (preview->widget), make_label (hint), FALSE, FALSE, 0);
  g_signal_connect_swapped (preview->view, "invalidated", G_CALLBACK (update), preview);
  g_signal_connect_swapped (preview->view, "notify::update", G_CALLBACK (update), preview);
  return preview;
}

void
designer_preview_free (DesignerPreview *preview)
{
  if (! preview)
    return;
  filter_settings_free (preview->settings);
  fx_engine_free (preview->engine);
  g_free (preview);
}

GtkWidget *
designer_preview_get_widget (const DesignerPreview *preview)
{
  return preview->widget;
}

void
designer_preview_show (DesignerPreview *preview, const FilterSettings *settings)
{
  filter_settings_free (preview->settings);
  preview->settings = filter_settings_copy (settings);
  gimp_preview_invalidate (GIMP_PREVIEW (preview->view));
}
