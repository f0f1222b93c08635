#include "size-pair.h"

#include "apply-target.h"
#include "spin-scale.h"

#include <libgimp/gimp.h>
#include <libgimp/gimpui.h>
#include <string.h>

#define SPIN_WIDTH 8 /* in characters */

/* The widget is a GimpSizeEntry, as gimp_coordinates_new makes it but for the bars. */
typedef struct {
  Pair pair; /* the first member */
  PairChangedFunc changed;
  gpointer data;
  gboolean quiet; /* the entry is being set by the program */
  GtkWidget *chain;
} SizePair;

static gboolean
is_chained (const SizePair *size)
{
  return gimp_chain_button_get_active (GIMP_CHAIN_BUTTON (size->chain));
}

/* The other number follows if they are chained. */
static void
pair_change (GtkWidget *widget, SizePair *size)
{
  GimpSizeEntry *entry = GIMP_SIZE_ENTRY (widget);
  double *values = size->pair.values, value;
  int which;

  if (size->quiet)
    return;
  for (which = 0; which < 2; which++)
    if (gimp_size_entry_get_refval (entry, which) != values[which])
      break;
  if (which == 2)
    return;
  value = gimp_size_entry_get_refval (entry, which);
  values[which] = value;
  if (is_chained (size))
    {
      size->quiet = TRUE;
      gimp_size_entry_set_refval (entry, 1 - which, value);
      size->quiet = FALSE;
      values[1 - which] = value;
    }
  size->changed (size->data);
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
    gimp_chain_button_set_active (GIMP_CHAIN_BUTTON (size->chain), FALSE);
  gimp_size_entry_set_refval (entry, 0, values[0]);
  gimp_size_entry_set_refval (entry, 1, values[1]);
  size->quiet = FALSE;
  memcpy (pair->values, values, sizeof pair->values);
}

/* An entry takes a new field as its first one. */
static void
add_field (GtkWidget *entry, const FilterProperty *property, guint row)
{
  GtkWidget *scale = spin_scale_new (property);

  gtk_entry_set_width_chars (GTK_ENTRY (scale), SPIN_WIDTH);
  gtk_table_attach (GTK_TABLE (entry), scale, 0, 1, row, row + 1, GTK_EXPAND | GTK_FILL, GTK_FILL,
                    0, 0);
  gimp_size_entry_add_field (GIMP_SIZE_ENTRY (entry), GTK_SPIN_BUTTON (scale), NULL);
}

/* Sets what the fields stand for. */
static void
configure_fields (GimpSizeEntry *entry, const FilterProperty properties[2], const double values[2],
                  const ApplyTarget *target)
{
  double resolutions[2];

  gimp_image_get_resolution (gimp_item_get_image (target->drawable), &resolutions[0],
                             &resolutions[1]);
  gimp_size_entry_set_unit (entry, GIMP_UNIT_PIXEL);
  for (int i = 0; i < 2; i++)
    {
      gimp_size_entry_set_resolution (entry, i, resolutions[i], TRUE);
      gimp_size_entry_set_refval_boundaries (entry, i, properties[i].minimum,
                                             properties[i].maximum);
      gimp_size_entry_set_refval_digits (entry, i, properties[i].slider.digits);
      gimp_size_entry_set_refval (entry, i, values[i]);
    }
}

/* A table: the bars, the chain beside both, and the unit beside the lower one. */
static GtkWidget *
make_size_entry (const FilterProperty properties[2], GtkWidget *chain)
{
  GtkWidget *entry = gimp_size_entry_new (0, GIMP_UNIT_PIXEL, "%a", TRUE, FALSE, FALSE, SPIN_WIDTH,
                                          GIMP_SIZE_ENTRY_UPDATE_SIZE);
  GtkTable *table = GTK_TABLE (entry);

  gtk_table_resize (table, 2, 3);
  gtk_container_child_set (GTK_CONTAINER (table), GIMP_SIZE_ENTRY (entry)->unitmenu, "left-attach",
                           2, "right-attach", 3, "top-attach", 1, "bottom-attach", 2, "y-options",
                           GTK_FILL, NULL);
  add_field (entry, &properties[1], 1);
  add_field (entry, &properties[0], 0);
  gtk_table_attach (table, chain, 1, 2, 0, 2, GTK_FILL, GTK_FILL, 0, 0);
  gtk_table_set_col_spacings (table, 6);
  gtk_table_set_row_spacings (table, 3);
  return entry;
}

Pair *
size_pair_new (const FilterProperty properties[2], const double values[2], PairChangedFunc changed,
               gpointer data, gpointer target)
{
  SizePair *size = g_new0 (SizePair, 1);
  GtkWidget *entry;

  size->chain = gimp_chain_button_new (GIMP_CHAIN_RIGHT);
  gimp_chain_button_set_active (GIMP_CHAIN_BUTTON (size->chain), values[0] == values[1]);
  entry = make_size_entry (properties, size->chain);
  configure_fields (GIMP_SIZE_ENTRY (entry), properties, values, target);
  size->pair = (Pair) { .widget = entry,
                        .values = { values[0], values[1] },
                        .set = size_pair_set,
                        .grab_focus = size_pair_grab_focus };
  size->changed = changed;
  size->data = data;
  g_signal_connect (entry, "value-changed", G_CALLBACK (pair_change), size);
  g_signal_connect (entry, "refval-changed", G_CALLBACK (pair_change), size);
  return &size->pair;
}
