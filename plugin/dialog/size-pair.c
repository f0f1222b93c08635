#include "size-pair.h"

#include "render-target.h"

#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>
#include <libgimp/gimpui.h>
#include <math.h>
#include <string.h>

#define SLIDER_WIDTH 150 /* in pixels */
#define SPIN_WIDTH   8   /* in characters */
#define SLIDER_BEND  0.1 /* in pixels: where sliders turn from linear to logarithmic */
#define SLIDER_STEPS 1000.0
#define DIGITS       2 /* after the point, for pixels */

/* The widget is a GimpSizeEntry. */
typedef struct {
  Pair pair; /* the first member */
  double maximum;
  PairChangedFunc changed;
  gpointer data;
  gboolean quiet; /* the entry is being set by the program */
  GtkAdjustment *sliders[2];
} SizePair;

static double
slider_from_value (const SizePair *size, double value)
{
  return SLIDER_STEPS * log1p (value / SLIDER_BEND) / log1p (size->maximum / SLIDER_BEND);
}

/* Rounds to three digits, which is as much as the eye can tell apart, but not finer than the
 * entry. */
static double
value_from_slider (const SizePair *size, double position)
{
  double value = SLIDER_BEND *
                 expm1 (position / SLIDER_STEPS * log1p (size->maximum / SLIDER_BEND));
  double step = pow (10.0, MAX (-DIGITS, floor (log10 (MAX (value, 1.0))) - 2.0));

  return CLAMP (floor (value / step + 0.5) * step, 0.0, size->maximum);
}

static void
update_slider (SizePair *size, int which)
{
  GtkAdjustment *slider = size->sliders[which];
  double value = size->pair.values[which];

  if (value_from_slider (size, gtk_adjustment_get_value (slider)) != value)
    gtk_adjustment_set_value (slider, slider_from_value (size, value));
}

/* Called for changes by typing, by a slider or through the chain. */
static void
pair_change (GtkWidget *entry, SizePair *size)
{
  double values[2];
  gboolean same;
  int which;

  for (which = 0; which < 2; which++)
    values[which] = gimp_size_entry_get_refval (GIMP_SIZE_ENTRY (entry), which);
  same = values[0] == size->pair.values[0] && values[1] == size->pair.values[1];
  memcpy (size->pair.values, values, sizeof values);
  update_slider (size, 0);
  update_slider (size, 1);
  if (! same && ! size->quiet)
    size->changed (size->data);
}

/* The entry's own chain follows typing, but not values that a program sets. */
static void
pair_set_value (SizePair *size, int which, double value)
{
  GimpSizeEntry *entry = GIMP_SIZE_ENTRY (size->pair.widget);

  size->quiet = TRUE;
  gimp_size_entry_set_refval (entry, which, value);
  if (gimp_chain_button_get_active (GIMP_COORDINATES_CHAINBUTTON (entry)))
    gimp_size_entry_set_refval (entry, 1 - which, value);
  size->quiet = FALSE;
  size->changed (size->data);
}

static void
move_slider (GtkAdjustment *slider, SizePair *size)
{
  int which = slider == size->sliders[0] ? 0 : 1;
  double position = gtk_adjustment_get_value (slider), value = size->pair.values[which];
  double wanted = value_from_slider (size, position);

  /* A slider that follows the entry is at its place, although that may lie between two steps. */
  if (fabs (position - slider_from_value (size, value)) > 1e-6 && wanted != value)
    pair_set_value (size, which, wanted);
}

/* Makes room for a slider in the entry's table: label, slider, entry, chain, unit. */
static void
pair_arrange (GtkWidget *child, gpointer data)
{
  GtkSizeGroup *labels = data;
  GtkContainer *table = GTK_CONTAINER (gtk_widget_get_parent (child));
  guint left, right;

  gtk_container_child_get (table, child, "left-attach", &left, "right-attach", &right, NULL);
  if (left == 0)
    gtk_size_group_add_widget (labels, child);
  else
    gtk_container_child_set (table, child, "right-attach", right + 1, "left-attach", left + 1,
                             NULL);
}

static void
add_slider (SizePair *size, int which, const char *tooltip)
{
  GtkObject *adjustment = gtk_adjustment_new (slider_from_value (size, size->pair.values[which]),
                                              0.0, SLIDER_STEPS, 5.0, 50.0, 0.0);
  GtkWidget *slider = gtk_hscale_new (GTK_ADJUSTMENT (adjustment));

  size->sliders[which] = GTK_ADJUSTMENT (adjustment);
  gtk_scale_set_draw_value (GTK_SCALE (slider), FALSE);
  gtk_widget_set_size_request (slider, SLIDER_WIDTH, -1);
  gimp_help_set_help_data (slider, tooltip, NULL);
  gtk_table_attach (GTK_TABLE (size->pair.widget), slider, 1, 2, (guint) which, (guint) which + 1,
                    GTK_EXPAND | GTK_FILL, GTK_FILL, 0, 0);
  g_signal_connect (adjustment, "value-changed", G_CALLBACK (move_slider), size);
}

static void
size_pair_grab_focus (Pair *pair)
{
  gimp_size_entry_grab_focus (GIMP_SIZE_ENTRY (pair->widget));
}

static void
size_pair_set (Pair *pair, const double values[2])
{
  SizePair *size = (SizePair *) pair;
  GimpSizeEntry *entry = GIMP_SIZE_ENTRY (pair->widget);

  size->quiet = TRUE;
  if (values[0] != values[1])
    gimp_chain_button_set_active (GIMP_COORDINATES_CHAINBUTTON (entry), FALSE);
  gimp_size_entry_set_refval (entry, 0, values[0]);
  gimp_size_entry_set_refval (entry, 1, values[1]);
  size->quiet = FALSE;
  memcpy (pair->values, values, sizeof pair->values);
}

static GtkWidget *
make_size_entry (const FilterProperty properties[2], const double values[2],
                 const RenderTarget *target)
{
  const FilterProperty *x = &properties[0], *y = &properties[1];
  double x_resolution, y_resolution;

  gimp_image_get_resolution (gimp_item_get_image (target->drawable), &x_resolution, &y_resolution);
  return gimp_coordinates_new (GIMP_UNIT_PIXEL, "%a", TRUE, FALSE, SPIN_WIDTH,
                               GIMP_SIZE_ENTRY_UPDATE_SIZE, values[0] == values[1], FALSE,
                               _ (x->label), values[0], x_resolution, x->minimum, x->maximum, 0.0,
                               0.0, _ (y->label), values[1], y_resolution, y->minimum, y->maximum,
                               0.0, 0.0);
}

Pair *
size_pair_new (const FilterProperty properties[2], const double values[2], GtkSizeGroup *labels,
               PairChangedFunc changed, gpointer data, gpointer target)
{
  SizePair *size = g_new0 (SizePair, 1);
  GtkWidget *entry = make_size_entry (properties, values, target);
  int i;

  size->pair = (Pair) { .widget = entry,
                        .values = { values[0], values[1] },
                        .set = size_pair_set,
                        .grab_focus = size_pair_grab_focus };
  size->maximum = properties[0].maximum;
  size->changed = changed;
  size->data = data;
  gtk_table_resize (GTK_TABLE (entry), 3, 5);
  gtk_container_foreach (GTK_CONTAINER (entry), pair_arrange, labels);
  gtk_table_set_col_spacings (GTK_TABLE (entry), 6);
  gtk_table_set_row_spacings (GTK_TABLE (entry), 6);
  for (i = 0; i < 2; i++)
    {
      gimp_size_entry_set_refval_digits (GIMP_SIZE_ENTRY (entry), i, DIGITS);
      add_slider (size, i, _ (properties[i].tooltip));
    }
  g_signal_connect (entry, "value-changed", G_CALLBACK (pair_change), size);
  g_signal_connect (entry, "refval-changed", G_CALLBACK (pair_change), size);
  return &size->pair;
}
