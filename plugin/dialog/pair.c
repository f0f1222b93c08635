#include "pair.h"

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

struct Pair {
  double values[2];
  double maximum;
  PairChangedFunc changed;
  gpointer data;
  gboolean quiet;   /* the entry is being set by the program */
  GtkWidget *entry; /* a GimpSizeEntry */
  GtkAdjustment *sliders[2];
};

static double
slider_from_value (const Pair *pair, double value)
{
  return SLIDER_STEPS * log1p (value / SLIDER_BEND) / log1p (pair->maximum / SLIDER_BEND);
}

/* Rounds to three digits, which is as much as the eye can tell apart, but not finer than the
 * entry. */
static double
value_from_slider (const Pair *pair, double position)
{
  double value = SLIDER_BEND *
                 expm1 (position / SLIDER_STEPS * log1p (pair->maximum / SLIDER_BEND));
  double step = pow (10.0, MAX (-DIGITS, floor (log10 (MAX (value, 1.0))) - 2.0));

  return CLAMP (floor (value / step + 0.5) * step, 0.0, pair->maximum);
}

static void
update_slider (Pair *pair, int which)
{
  GtkAdjustment *slider = pair->sliders[which];
  double value = pair->values[which];

  if (value_from_slider (pair, gtk_adjustment_get_value (slider)) != value)
    gtk_adjustment_set_value (slider, slider_from_value (pair, value));
}

/* Called for changes by typing, by a slider or through the chain. */
static void
pair_change (GtkWidget *entry, Pair *pair)
{
  double values[2];
  gboolean same;
  int which;

  for (which = 0; which < 2; which++)
    values[which] = gimp_size_entry_get_refval (GIMP_SIZE_ENTRY (entry), which);
  same = values[0] == pair->values[0] && values[1] == pair->values[1];
  memcpy (pair->values, values, sizeof values);
  update_slider (pair, 0);
  update_slider (pair, 1);
  if (! same && ! pair->quiet)
    pair->changed (pair->data);
}

/* The entry's own chain follows typing, but not values that a program sets. */
static void
pair_set_value (Pair *pair, int which, double value)
{
  GimpSizeEntry *entry = GIMP_SIZE_ENTRY (pair->entry);

  pair->quiet = TRUE;
  gimp_size_entry_set_refval (entry, which, value);
  if (gimp_chain_button_get_active (GIMP_COORDINATES_CHAINBUTTON (entry)))
    gimp_size_entry_set_refval (entry, 1 - which, value);
  pair->quiet = FALSE;
  pair->changed (pair->data);
}

static void
move_slider (GtkAdjustment *slider, Pair *pair)
{
  int which = slider == pair->sliders[0] ? 0 : 1;
  double position = gtk_adjustment_get_value (slider), value = pair->values[which];
  double wanted = value_from_slider (pair, position);

  /* A slider that follows the entry is at its place, although that may lie between two steps. */
  if (fabs (position - slider_from_value (pair, value)) > 1e-6 && wanted != value)
    pair_set_value (pair, which, wanted);
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
add_slider (Pair *pair, int which, const char *tooltip)
{
  GtkObject *adjustment = gtk_adjustment_new (slider_from_value (pair, pair->values[which]), 0.0,
                                              SLIDER_STEPS, 5.0, 50.0, 0.0);
  GtkWidget *slider = gtk_hscale_new (GTK_ADJUSTMENT (adjustment));

  pair->sliders[which] = GTK_ADJUSTMENT (adjustment);
  gtk_scale_set_draw_value (GTK_SCALE (slider), FALSE);
  gtk_widget_set_size_request (slider, SLIDER_WIDTH, -1);
  gimp_help_set_help_data (slider, tooltip, NULL);
  gtk_table_attach (GTK_TABLE (pair->entry), slider, 1, 2, (guint) which, (guint) which + 1,
                    GTK_EXPAND | GTK_FILL, GTK_FILL, 0, 0);
  g_signal_connect (adjustment, "value-changed", G_CALLBACK (move_slider), pair);
}

Pair *
pair_new (const FilterProperty properties[2], const double values[2], gint32 image,
          GtkSizeGroup *labels, PairChangedFunc changed, gpointer data)
{
  const FilterProperty *x = &properties[0], *y = &properties[1];
  Pair *pair = g_new0 (Pair, 1);
  double x_resolution, y_resolution;
  GtkTable *table;

  memcpy (pair->values, values, sizeof pair->values);
  pair->maximum = x->maximum;
  pair->changed = changed;
  pair->data = data;
  gimp_image_get_resolution (image, &x_resolution, &y_resolution);
  pair->entry = gimp_coordinates_new (GIMP_UNIT_PIXEL, "%a", TRUE, FALSE, SPIN_WIDTH,
                                      GIMP_SIZE_ENTRY_UPDATE_SIZE, values[0] == values[1], FALSE,
                                      _ (x->label), values[0], x_resolution, x->minimum, x->maximum,
                                      0.0, 0.0, _ (y->label), values[1], y_resolution, y->minimum,
                                      y->maximum, 0.0, 0.0);
  table = GTK_TABLE (pair->entry);
  gimp_size_entry_set_refval_digits (GIMP_SIZE_ENTRY (pair->entry), 0, DIGITS);
  gimp_size_entry_set_refval_digits (GIMP_SIZE_ENTRY (pair->entry), 1, DIGITS);
  gtk_table_resize (table, 3, 5);
  gtk_container_foreach (GTK_CONTAINER (table), pair_arrange, labels);
  gtk_table_set_col_spacings (table, 6);
  gtk_table_set_row_spacings (table, 6);
  add_slider (pair, 0, _ (x->tooltip));
  add_slider (pair, 1, _ (y->tooltip));
  g_signal_connect (pair->entry, "value-changed", G_CALLBACK (pair_change), pair);
  g_signal_connect (pair->entry, "refval-changed", G_CALLBACK (pair_change), pair);
  return pair;
}

void
pair_free (Pair *pair)
{
  g_free (pair);
}

GtkWidget *
pair_get_widget (const Pair *pair)
{
  return pair->entry;
}

void
pair_grab_focus (Pair *pair)
{
  gimp_size_entry_grab_focus (GIMP_SIZE_ENTRY (pair->entry));
}

double
pair_get (const Pair *pair, int which)
{
  return pair->values[which];
}

void
pair_set (Pair *pair, const double values[2])
{
  GimpSizeEntry *entry = GIMP_SIZE_ENTRY (pair->entry);

  pair->quiet = TRUE;
  if (values[0] != values[1])
    gimp_chain_button_set_active (GIMP_COORDINATES_CHAINBUTTON (entry), FALSE);
  gimp_size_entry_set_refval (entry, 0, values[0]);
  gimp_size_entry_set_refval (entry, 1, values[1]);
  pair->quiet = FALSE;
  memcpy (pair->values, values, sizeof pair->values);
}
