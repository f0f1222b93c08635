/* Until OK, nothing in the image is changed, and the preview is in the window. An effect, or a
 * layer, that shows a preview on the canvas would be part of the image: GIMP would save it, undo
 * would bring it back with a layer that was deleted, and two windows would take back each
 * other's. A plug-in learns of none of that, and its effects are on the canvas only if the layer
 * has them. GIMP's own dialog makes its controls by itself, and has none for a matrix. */
#include "designer.h"

#include "buttons.h"
#include "designer-effect.h"
#include "designer-preview.h"
#include "effect.h"
#include "parameters.h"
#include "place.h"
#include "presets.h"
#include "target.h"

#include <glib/gi18n-lib.h>
#include <libgimp/gimpui.h>

#define ROLE           "cuda-blur"
#define RESPONSE_RESET 1
#define NEW            (-1) /* the choice of a new effect; others are indices */

typedef struct {
  const FilterDescription *filter;
  GimpImage *image;
  GimpDrawable *const *drawables;
  GPtrArray *effects;  /* which can be edited */
  gboolean can_effect; /* the drawables can have effects */
  gboolean must_effect;
  const FilterSettings *last; /* that OK confirmed */
  GtkWidget *window;
  GtkWidget *presets;
  DesignerPreview *preview;
  Parameters *parameters;
  GtkWidget *choice; /* of an effect; NULL: a new one */
  GtkWidget *as_effect;
} Designer;

/* The target. */

static void
examine (Designer *designer)
{
  int i;

  designer->can_effect = TRUE;
  for (i = 0; designer->drawables[i]; i++)
    {
      GimpItem *item = GIMP_ITEM (designer->drawables[i]);

      designer->can_effect &= GIMP_IS_LAYER (item) &&
                              ! gimp_layer_is_floating_sel (GIMP_LAYER (item));
      designer->must_effect |= gimp_item_is_group (item);
    }
  designer->effects = i == 1 ? designer_effect_find (designer->drawables[0], designer->filter)
                             : g_ptr_array_new ();
}

static gboolean
are_there (const Designer *designer)
{
  for (int i = 0; designer->drawables[i]; i++)
    if (! target_is_there (designer->drawables[i], designer->image))
      return FALSE;
  return TRUE;
}

/* Returns the effect that is edited, or NULL if there is to be a new one. */
static GimpDrawableFilter *
get_edited (const Designer *designer)
{
  int choice = NEW;

  if (designer->choice)
    gimp_int_combo_box_get_active (GIMP_INT_COMBO_BOX (designer->choice), &choice);
  return choice == NEW ? NULL : designer->effects->pdata[choice];
}

/* Changes. */

/* Invalid settings are not shown; the picture stays until the settings are valid again. */
static void
designer_change (gpointer data)
{
  const Designer *designer = data;
  gboolean valid = parameters_are_valid (designer->parameters);

  presets_unset (designer->presets);
  gtk_dialog_set_response_sensitive (GTK_DIALOG (designer->window), GTK_RESPONSE_OK, valid);
  if (valid)
    designer_preview_show (designer->preview, parameters_get (designer->parameters));
}

/* A channel or a mask cannot have an effect, a group nothing else. */
static void
admit_effect (const Designer *designer)
{
  gboolean must = designer->can_effect && (designer->must_effect || get_edited (designer));

  if (must || ! designer->can_effect)
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (designer->as_effect), must);
  gtk_widget_set_sensitive (designer->as_effect, designer->can_effect && ! must);
}

/* A new effect begins with the settings that are shown. */
static void
choose (GtkWidget *choice, Designer *designer)
{
  GimpDrawableFilter *edited = get_edited (designer);
  g_autoptr (FilterSettings) settings = NULL;

  admit_effect (designer);
  if (! edited)
    return;
  settings = filter_settings_copy (parameters_get (designer->parameters));
  effect_get_settings (edited, settings);
  parameters_set (designer->parameters, settings);
}

/* GIMP does not tell a plug-in that the user has closed the image or deleted the layer. */
static gboolean
look_again (GtkWidget *window, GdkEvent *event, const Designer *designer)
{
  if (! are_there (designer))
    gtk_dialog_response (GTK_DIALOG (window), GTK_RESPONSE_CANCEL);
  return FALSE;
}

/* The window. */

static GtkWidget *
make_choice (Designer *designer)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new_with_mnemonic (_ ("Pic_k an effect:"));
  GimpIntComboBox *combo;

  designer->choice = g_object_new (GIMP_TYPE_INT_COMBO_BOX, NULL);
  combo = GIMP_INT_COMBO_BOX (designer->choice);
  for (guint i = 0; i < designer->effects->len; i++)
    {
      g_autofree char *name = gimp_drawable_filter_get_name (designer->effects->pdata[i]);
      g_autofree char *text = g_strdup_printf ("%u. %s", i + 1, name);

      gimp_int_combo_box_append (combo, GIMP_INT_STORE_VALUE, (int) i, GIMP_INT_STORE_LABEL, text,
                                 -1);
    }
  gimp_int_combo_box_append (combo, GIMP_INT_STORE_VALUE, NEW, GIMP_INT_STORE_LABEL,
                             _ ("New effect"), -1);
  gimp_int_combo_box_set_active (combo, 0);
  gimp_help_set_help_data (designer->choice,
                           _ ("Which of the layer's effects is edited; 1 is the topmost"), NULL);
  g_signal_connect (combo, "changed", G_CALLBACK (choose), designer);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), designer->choice);
  gtk_box_pack_start (GTK_BOX (box), label, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), designer->choice, TRUE, TRUE, 0);
  return box;
}

static GtkWidget *
make_as_effect (Designer *designer, gboolean as_effect)
{
  GtkWidget *button = check_button_new (
    _ ("_As an effect"),
    _ ("Leave a layer effect, which can be edited later, instead of changing the pixels"));

  designer->as_effect = button;
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), as_effect);
  gtk_widget_set_halign (button, GTK_ALIGN_START);
  admit_effect (designer);
  return button;
}

static gboolean
is_coverage (const Designer *designer)
{
  for (int i = 0; designer->drawables[i]; i++)
    if (gimp_item_is_layer (GIMP_ITEM (designer->drawables[i])))
      return FALSE;
  return TRUE;
}

static GtkWidget *
make_controls (Designer *designer, const FilterSettings *settings, gboolean as_effect)
{
  const ParametersTarget target = { .coverage = is_coverage (designer) };
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);

  designer->parameters = parameters_new (&target, settings, designer_change, designer);
  if (designer->effects->len > 0)
    gtk_box_pack_start (GTK_BOX (box), make_choice (designer), FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), parameters_get_widget (designer->parameters), TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (box), make_as_effect (designer, as_effect), FALSE, FALSE, 0);
  return box;
}

static GtkWidget *
make_body (Designer *designer, const FilterSettings *settings, gboolean as_effect)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

  designer->preview = designer_preview_new (designer->drawables[0]);
  gtk_box_pack_start (GTK_BOX (box), designer_preview_get_widget (designer->preview), TRUE, TRUE,
                      0);
  gtk_box_pack_start (GTK_BOX (box), make_controls (designer, settings, as_effect), TRUE, TRUE, 0);
  return box;
}

static GtkWidget *
designer_make_content (Designer *designer, const FilterSettings *settings, gboolean as_effect)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *body = make_body (designer, settings, as_effect);

  designer->presets = presets_new (designer->last, designer->parameters);
  gtk_container_set_border_width (GTK_CONTAINER (box), 12);
  gtk_box_pack_start (GTK_BOX (box), designer->presets, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), body, TRUE, TRUE, 0);
  gtk_widget_show_all (box);
  return box;
}

static void
designer_make_window (Designer *designer, const FilterSettings *settings, gboolean as_effect)
{
  GtkWidget *window = gimp_dialog_new (_ ("Matrix Designer (CUDA)"), ROLE, NULL, 0,
                                       gimp_standard_help_func, designer->filter->procedure,
                                       _ ("_Reset"), RESPONSE_RESET, _ ("_Cancel"),
                                       GTK_RESPONSE_CANCEL, _ ("_OK"), GTK_RESPONSE_OK, NULL);

  gimp_dialog_set_alternative_button_order (GTK_DIALOG (window), GTK_RESPONSE_OK, RESPONSE_RESET,
                                            GTK_RESPONSE_CANCEL, -1);
  gtk_dialog_set_default_response (GTK_DIALOG (window), GTK_RESPONSE_OK);
  gimp_window_set_transient (GTK_WINDOW (window));
  gtk_box_pack_start (GTK_BOX (gtk_dialog_get_content_area (GTK_DIALOG (window))),
                      designer_make_content (designer, settings, as_effect), TRUE, TRUE, 0);
  g_signal_connect (window, "focus-in-event", G_CALLBACK (look_again), designer);
  place_restore (GTK_WINDOW (window), designer->filter->name);
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
  place_keep (GTK_WINDOW (designer->window), designer->filter->name);
  gtk_widget_hide (designer->window);
  gdk_display_flush (gtk_widget_get_display (designer->window)); /* the rest may take long */
  return response == GTK_RESPONSE_OK;
}

/* The end. */

static gboolean
apply (const Designer *designer, const FilterSettings *settings, gboolean as_effect, GError **error)
{
  GimpDrawableFilter *edited = get_edited (designer);

  if (edited && designer_effect_is_there (designer->drawables[0], edited))
    return designer_effect_edit (edited, designer->drawables[0], settings, error);
  return effect_apply (designer->image, designer->drawables, NULL, settings, as_effect, error);
}

static gboolean
designer_keep (const Designer *designer, FilterSettings *settings, gboolean *as_effect,
               GError **error)
{
  const FilterSettings *chosen = parameters_get (designer->parameters);
  gboolean effect = gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (designer->as_effect));

  if (! are_there (designer) || ! apply (designer, chosen, effect, error))
    return FALSE;
  filter_settings_assign (settings, chosen);
  *as_effect = effect;
  gimp_displays_flush ();
  return TRUE;
}

static gboolean
check_targets (const Designer *designer, GError **error)
{
  for (int i = 0; designer->drawables[i]; i++)
    if (! target_check (designer->drawables[i], designer->image, designer->must_effect, error))
      return FALSE;
  return TRUE;
}

gboolean
designer_run (const FilterDescription *filter, GimpImage *image, GimpDrawable *const *drawables,
              FilterSettings *settings, gboolean *as_effect, GError **error)
{
  g_autoptr (FilterSettings) first = filter_settings_copy (settings);
  Designer designer = {
    .filter = filter, .image = image, .drawables = drawables, .last = settings
  };
  gboolean kept = FALSE;

  examine (&designer);
  if (check_targets (&designer, error))
    {
      gimp_ui_init (ROLE);
      if (designer.effects->len > 0)
        effect_get_settings (designer.effects->pdata[0], first);
      designer_make_window (&designer, first, *as_effect);
      kept = designer_wait (&designer) && designer_keep (&designer, settings, as_effect, error);
      gtk_widget_destroy (designer.window);
      designer_preview_free (designer.preview);
      parameters_free (designer.parameters);
    }
  g_ptr_array_unref (designer.effects);
  return kept;
}
