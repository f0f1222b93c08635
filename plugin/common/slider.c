#include "slider.h"

#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>
#include <libgimp/gimpui.h>
#include <math.h>

#define WIDTH 150 /* in pixels */
#define STEPS 1000.0

typedef struct {
  const FilterProperty *property;
  GtkAdjustment *number;
  GtkAdjustment *position; /* of the slider, 0 to STEPS */
} Slider;

double
slider_get_valid (const FilterProperty *property, double value, double last)
{
  if (value <= 0.0 || value >= property->least)
    return value;
  return value < last ? 0.0 : property->least;
}

/* Shares of the number's range and of the slider's. */

static double
position_from_share (const Slider *slider, double share)
{
  double bend = slider->property->slider.bend;

  return STEPS * (bend > 0.0 ? log1p (share / bend) / log1p (1.0 / bend) : share);
}

static double
share_from_position (const Slider *slider, double position)
{
  double bend = slider->property->slider.bend, part = position / STEPS;

  return bend > 0.0 ? bend * expm1 (part * log1p (1.0 / bend)) : part;
}

static double
position_from_value (const Slider *slider, double value)
{
  const FilterProperty *property = slider->property;
  double share = (value - property->minimum) / (property->maximum - property->minimum);

  return position_from_share (slider, CLAMP (share, 0.0, 1.0));
}

/* Rounds to the steps of the arrow keys. */
static double
value_from_position (const Slider *slider, double position)
{
  const FilterProperty *property = slider->property;
  double step = property->slider.step, range = property->maximum - property->minimum;
  double value = property->minimum + range * share_from_position (slider, position);

  value = CLAMP (floor (value / step + 0.5) * step, property->minimum, property->maximum);
  return slider_get_valid (property, value, gtk_adjustment_get_value (slider->number));
}

/* A number that the slider's place stands for leaves the slider there. */
static void
slider_follow (GtkAdjustment *number, GtkWidget *scale)
{
  Slider *slider = g_object_get_data (G_OBJECT (scale), "slider");
  double value = gtk_adjustment_get_value (number);

  if (value_from_position (slider, gtk_adjustment_get_value (slider->position)) != value)
    gtk_adjustment_set_value (slider->position, position_from_value (slider, value));
}

static void
slider_move (GtkAdjustment *position, Slider *slider)
{
  double place = gtk_adjustment_get_value (position);
  double value = gtk_adjustment_get_value (slider->number);

  /* A slider that follows is at its place, although that may lie between two steps. */
  if (fabs (place - position_from_value (slider, value)) > 1e-6)
    gtk_adjustment_set_value (slider->number, value_from_position (slider, place));
}

GtkWidget *
slider_new (const FilterProperty *property, GtkAdjustment *number)
{
  Slider *slider = g_new0 (Slider, 1);
  double step = STEPS * property->slider.step / (property->maximum - property->minimum);
  GtkWidget *scale;

  *slider = (Slider) { .property = property, .number = number };
  step = MAX (step, STEPS / 200.0);
  slider->position = GTK_ADJUSTMENT (
    gtk_adjustment_new (position_from_value (slider, gtk_adjustment_get_value (number)), 0.0, STEPS,
                        step, MAX (step, STEPS / 20.0), 0.0));
  scale = gtk_hscale_new (slider->position);
  gtk_scale_set_draw_value (GTK_SCALE (scale), FALSE);
  gtk_widget_set_size_request (scale, WIDTH, -1);
  gimp_help_set_help_data (scale, _ (property->tooltip), NULL);
  g_object_set_data_full (G_OBJECT (scale), "slider", slider, g_free);
  g_signal_connect (slider->position, "value-changed", G_CALLBACK (slider_move), slider);
  g_signal_connect_object (number, "value-changed", G_CALLBACK (slider_follow), scale, 0);
  return scale;
}
