/* The control of two related numbers in pixels: GIMP's own pair of sizes, with a unit and a chain,
 * and a slider for each. For the main thread. */
#ifndef PAIR_H
#define PAIR_H

#include "filter.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct Pair Pair;

/* Called when the user has changed a number. */
typedef void (*PairChangedFunc) (gpointer data);

/* Creates a control for two properties with these values. The units use image's resolution. Adds
 * the labels to the size group labels. Never returns NULL. */
Pair *pair_new (const FilterProperty properties[2], const double values[2], gint32 image,
                GtkSizeGroup *labels, PairChangedFunc changed, gpointer data);
void pair_free (Pair *pair); /* free it after its widget; NULL is legal */

GtkWidget *pair_get_widget (const Pair *pair);
void pair_grab_focus (Pair *pair);

double pair_get (const Pair *pair, int which);

/* Sets both values, without calling changed. Opens the chain if they differ. pair_get returns them
 * exactly, although the control shows them rounded. */
void pair_set (Pair *pair, const double values[2]);

G_END_DECLS

#endif
