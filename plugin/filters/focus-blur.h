/* Properties that the focus blur shares with the filters that are made from it: a Gaussian or a
 * lens whose strength varies. */
#pragma once

#include "choices.h"
#include "focus.h"

/* The choices of a property whose values are FocusKind. */
extern const FilterChoice focus_blur_types[];

/* Returns the largest radius of a lens for a strength that is valid for a Gaussian alone, and
 * otherwise strength. */
double focus_blur_limit_strength (FocusKind kind, double strength);

/* Initialisers of a FilterProperty, as in choices.h. Dialogs have more controls than letters: Tab
 * leads to those without a mnemonic. */

/* The filter's first property. */
#define FOCUS_BLUR_TYPE_PROPERTY(params)                                                        \
  {                                                                                             \
    .name = "blur-type", .type = FILTER_TYPE_OF (params, kind), .choices = focus_blur_types,    \
    .label = N_ ("Blur type:"),                                                                 \
    .tooltip = N_ (                                                                             \
      "What a point of light becomes: a soft spot, or the shape of a lens's aperture (bokeh)"), \
  }

/* Members of the property that has the largest strength. */
#define FOCUS_BLUR_STRENGTH(params, member)                                                 \
  .type = FILTER_TYPE_OF (params, member), .maximum = FOCUS_STRENGTH_MAX,                   \
  .slider = { .digits = 2, .step = 0.1, .bend = 0.002 },                                    \
  .tooltip = N_ ("How strong the blur is where it is strongest: the standard deviation in " \
                 "pixels, or the radius of the lens, at most 200; 0 changes nothing"),      \
  .traced = "strength ",                                                                    \
  .gegl = { .ui_maximum = 100.0, .ui_gamma = 2.0, .keys = "unit=pixel-distance" }

/* Those of the lens. */
#define FOCUS_BLUR_LENS_PROPERTIES(params)                                               \
  CHOICES_BLADES_PROPERTY (params, 1u << FOCUS_LENS, FOCUS_BLADES_MIN, FOCUS_BLADES_MAX, \
                           N_ ("Blades:")),                                              \
    {                                                                                    \
      .name = "blade-rotation",                                                          \
      .kinds = 1u << FOCUS_LENS,                                                         \
      CHOICES_ANGLE (params, blade_rotation),                                            \
      .label = N_ ("Blade rotation:"),                                                   \
      .tooltip = N_ (                                                                    \
        "How many degrees the aperture is turned clockwise; at 0 a corner points up"),   \
    },                                                                                   \
    CHOICES_ROUNDNESS_PROPERTY (params, 1u << FOCUS_LENS, N_ ("Roundness:")),            \
    CHOICES_SQUEEZE_PROPERTY (params, 1u << FOCUS_LENS, N_ ("Squeeze:")),                \
    CHOICES_HIGHLIGHTS_PROPERTY (params, 1u << FOCUS_LENS, FOCUS_HIGHLIGHTS_MAX,         \
                                 N_ ("Highlights:")),                                    \
    CHOICES_THRESHOLD_PROPERTY (params, 1u << FOCUS_LENS, N_ ("Threshold:"))
