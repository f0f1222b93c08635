#include "designer.h"

#include "buttons.h"
#include "designer-effect.h"
#include "parameters.h"
#include "target.h"

#include <glib/gi18n-lib.h>
#include <libgimp/gimpui.h>

#define ROLE           "cuda-blur"
#define RESPONSE_RESET 1

#define HINT_WIDTH 46 /* in characters */

typedef struct {
  const FilterDescription *filter;
  GimpDrawable *drawable;
  const char *refusal; /* why there is no preview, or NULL */
  DesignerEffect *effect;
  GtkWidget *window;
  Parameters *parameters;
  GtkWidget *preview, *as_effect; /* check buttons */
} Designer;

static gboolean
is_active (GtkWidget *button)
{
  return gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (button));
}

/* Invalid settings are not shown; the picture stays until the settings are valid again. */
static void
designer_change (gpointer data)
{
  Designer *designer = data;
  gboolean valid = parameters_are_valid (designer->parameters);

  gtk_dialog_set_response_sensitive (GTK_DIALOG (designer->window), GTK_RESPONSE_OK, valid);
  if (! designer->refusal && valid)
    designer_effect_show (designer->effect, is_active (designer->preview)
                                              ? parameters_get (designer->parameters)
                                              : NULL);
}

/* The window. */

static GtkWidget *
add_check (GtkWidget *box, const char *label, const char *tooltip, gboolean active,
           gboolean sensitive)
{
  GtkWidget *button = check_button_new (label, tooltip);

  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), active);
  gtk_widget_set_sensitive (button, sensitive);
  gtk_widget_set_halign (button, GTK_ALIGN_START);
  gtk_box_pack_start (GTK_BOX (box), button, FALSE, FALSE, 0);
  return button;
}

/* Makes a label in italics, like GIMP's hints. */
static GtkWidget *
designer_make_hint (const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0.0);
  gtk_label_set_line_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), HINT_WIDTH);
  gimp_label_set_attributes (GTK_LABEL (label), PANGO_ATTR_STYLE, PANGO_STYLE_ITALIC, -1);
  return label;
}

/* A channel or a mask cannot have an effect, a group nothing else. */
static GtkWidget *
make_checks (Designer *designer, gboolean as_effect)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
  gboolean can_have = ! designer->refusal;
  gboolean must_have = gimp_item_is_group (GIMP_ITEM (designer->drawable)) ||
                       designer_effect_is_edited (designer->effect);

  designer->as_effect = add_check (
    box, _ ("_As an effect"),
    _ ("Leave a layer effect, which can be edited later, instead of changing the pixels"),
    can_have && (as_effect || must_have), can_have && ! must_have);
  designer->preview = add_check (box, _ ("_Preview"),
                                 _ ("Show the result; off, the layer as it is"), can_have,
                                 can_have);
  g_signal_connect_swapped (designer->preview, "toggled", G_CALLBACK (designer_change), designer);
  if (designer->refusal)
    gtk_box_pack_start (GTK_BOX (box), designer_make_hint (designer->refusal), FALSE, FALSE, 0);
  return box;
}

static GtkWidget *
designer_make_content (Designer *designer, const FilterSettings *settings, gboolean as_effect)
{
  const ParametersTarget target = { .coverage = ! gimp_item_is_layer (
                                      GIMP_ITEM (designer->drawable)) };
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);

  designer->parameters = parameters_new (&target, settings, designer_change, designer);
  gtk_container_set_border_width (GTK_CONTAINER (box), 12);
  gtk_box_pack_start (GTK_BOX (box), parameters_get_widget (designer->parameters), TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (box), make_checks (designer, as_effect), FALSE, FALSE, 0);
  gtk_widget_show_all (box);
  return box;
}

static void
designer_make_window (Designer *designer, const FilterSettings *settings, gboolean as_effect)
{
  GtkWidget *window = gimp_dialog_new (_ (designer->filter->title), ROLE, NULL, 0,
                                       gimp_standard_help_func, designer->filter->procedure,
                                       _ ("_Reset"), RESPONSE_RESET, _ ("_Cancel"),
                                       GTK_RESPONSE_CANCEL, _ ("_OK"), GTK_RESPONSE_OK, NULL);

  gimp_dialog_set_alternative_button_order (GTK_DIALOG (window), GTK_RESPONSE_OK, RESPONSE_RESET,
                                            GTK_RESPONSE_CANCEL, -1);
  gtk_dialog_set_default_response (GTK_DIALOG (window), GTK_RESPONSE_OK);
  gimp_window_set_transient (GTK_WINDOW (window));
  gtk_box_pack_start (GTK_BOX (gtk_dialog_get_content_area (GTK_DIALOG (window))),
                      designer_make_content (designer, settings, as_effect), TRUE, TRUE, 0);
  designer->window = window;
}

static gboolean
designer_wait (Designer *designer)
{
  g_autoptr (FilterSettings) initial = filter_settings_new (designer->filter);
  int response;

  gtk_widget_show (designer->window);
  parameters_grab_focus (designer->parameters);
  designer_change (designer);
  while ((response = gimp_dialog_run (GIMP_DIALOG (designer->window))) == RESPONSE_RESET)
    parameters_set (designer->parameters, initial);
  return response == GTK_RESPONSE_OK;
}

static gboolean
designer_keep (Designer *designer, FilterSettings *settings, gboolean *as_effect, GError **error)
{
  const FilterSettings *chosen = parameters_get (designer->parameters);
  gboolean effect = is_active (designer->as_effect);

  if (! designer_effect_keep (designer->effect, chosen, effect, error))
    return FALSE;
  filter_settings_assign (settings, chosen);
  *as_effect = effect;
  return TRUE;
}

gboolean
designer_run (const FilterDescription *filter, GimpImage *image, GimpDrawable *drawable,
              FilterSettings *settings, gboolean *as_effect, GError **error)
{
  g_autoptr (FilterSettings) first = filter_settings_copy (settings);
  Designer designer = { .filter = filter, .drawable = drawable };
  gboolean kept;

  designer.refusal = designer_effect_get_refusal (drawable);
  if (! target_check (drawable, image, ! designer.refusal, error))
    return FALSE;
  gimp_ui_init (ROLE);
  designer.effect = designer_effect_new (drawable, first, error);
  if (! designer.effect)
    return FALSE;
  designer_make_window (&designer, first, *as_effect);
  kept = designer_wait (&designer);
  gtk_widget_hide (designer.window);
  gdk_display_flush (gtk_widget_get_display (designer.window)); /* the rest may take long */
  kept = kept && designer_keep (&designer, settings, as_effect, error);
  designer_effect_free (designer.effect);
  gtk_widget_destroy (designer.window);
  parameters_free (designer.parameters);
  gimp_displays_flush ();
  return kept;
}
