/* The control of two related numbers in pixels, which each toolkit makes in its own way. For the
 * main thread. */
#pragma once

#include "filter.h"

#include <gtk/gtk.h>

typedef struct Pair Pair;
struct Pair {
  GtkWidget *widget;
  double values[2]; /* exactly, although the control shows them rounded */

  /* Sets both values, without calling changed. Opens the chain if they differ. */
  void (*set) (Pair *pair, const double values[2]);
  void (*grab_focus) (Pair *pair);
};

/* Called when the user has changed a number. */
typedef void (*PairChangedFunc) (gpointer data);

/* Creates a control for two properties with these values. pair_data is ParametersTarget's. Never
 * returns NULL; free the pair with g_free after its widget. */
typedef Pair *(*PairNewFunc) (const FilterProperty properties[2], const double values[2],
                              PairChangedFunc changed, gpointer data, gpointer pair_data);
