/* The control of two numbers in pixels that belong together: GIMP's own pair of sizes, with a unit
 * and a chain, and a slider for each. For the main thread. */
#ifndef PAIR_H
#define PAIR_H

#include "filter.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct Pair Pair;

/* Called when a number has changed by the user's hand. */
typedef void (*PairChangedFunc) (gpointer data);

/* properties: of the two. image: whose resolution units go by. labels: gets the labels. */
Pair *pair_new (const FilterProperty properties[2], const double values[2], gint32 image,
                GtkSizeGroup *labels, PairChangedFunc changed, gpointer data);
void pair_free (Pair *pair); /* after its widget; NULL is legal */

GtkWidget *pair_get_widget (const Pair *pair);
void pair_grab_focus (Pair *pair);

double pair_get (const Pair *pair, int which);

/* Opens the chain where they differ. What is set is kept to the bit, where the control rounds. */
void pair_set (Pair *pair, const double values[2]);

G_END_DECLS

#endif
