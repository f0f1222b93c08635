/* The small picture that a filter draws of its settings, such as the shape of an aperture. For the
 * main thread. */
#pragma once

#include "filter.h"

#include <gtk/gtk.h>

/* Creates a picture of settings, whose filter must draw one. */
GtkWidget *settings_picture_new (const FilterSettings *settings);

/* Shows other settings of the same filter. They must have passed filter_settings_check. */
void settings_picture_show (GtkWidget *picture, const FilterSettings *settings);
