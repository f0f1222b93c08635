/* Choices that several filters share, and the properties that have them. */
#pragma once

#include "filter.h"

#include <glib/gi18n-lib.h>

/* The choices of a property whose values are FxAbyss, the first two of these, FxLight or FxDevice.
 */
extern const FilterChoice choices_abyss[], choices_short_abyss[], choices_light[], choices_device[];

/* Initialisers of a FilterProperty. params is the struct of the filter's parameters, gegl_name the
 * property's operation_name. shown_label is marked with N_; its mnemonic must differ from those of
 * the filter's other labels. */

#define CHOICES_ABYSS_PROPERTY(params, gegl_name, shown_label)                              \
  {                                                                                         \
    .name = "abyss", .operation_name = (gegl_name), .type = FILTER_TYPE_OF (params, abyss), \
    .role = FILTER_ROLE_ABYSS, .choices = choices_abyss, .initial = FX_ABYSS_CLAMP,         \
    .label = (shown_label),                                                                 \
    .tooltip = N_ ("What lies beyond the edge: the nearest pixel, nothing, black or "       \
                   "white"),                                                                \
  }

#define CHOICES_SHORT_ABYSS_PROPERTY(params)                                                   \
  {                                                                                            \
    .name = "abyss", .operation_name = "abyss-policy", .type = FILTER_TYPE_OF (params, abyss), \
    .role = FILTER_ROLE_ABYSS, .choices = choices_short_abyss, .initial = FX_ABYSS_CLAMP,      \
    .label = N_ ("Ab_yss policy:"),                                                            \
    .tooltip = N_ ("What lies beyond the edge: the nearest pixel, or nothing"),                \
  }

/* The tooltip is marked with N_. */
#define CHOICES_LIGHT_PROPERTY(params, shown_label, shown_tooltip)                      \
  {                                                                                     \
    .name = "light", .type = FILTER_TYPE_OF (params, light), .role = FILTER_ROLE_LIGHT, \
    .choices = choices_light, .initial = FX_LIGHT_LINEAR, .label = (shown_label),       \
    .tooltip = (shown_tooltip),                                                         \
  }

#define CHOICES_AVERAGED_LIGHT_PROPERTY(params)                                                 \
  CHOICES_LIGHT_PROPERTY (params, N_ ("_Light:"),                                               \
                          N_ ("Linear averages light, as a lens does; perceptual averages the " \
                              "values of sRGB"))

#define CHOICES_GROW_PROPERTY(shown_label)                                                       \
  {                                                                                              \
    .name = "grow", .type = FILTER_SWITCH, .role = FILTER_ROLE_GROW, .label = (shown_label),     \
    .tooltip = N_ ("Enlarge the layer so that its soft edge is not cut: for layers with alpha, " \
                   "without a selection"),                                                       \
  }

#define CHOICES_DEVICE_PROPERTY                                                        \
  {                                                                                    \
    .name = "device", .type = FILTER_CHOICE, .role = FILTER_ROLE_DEVICE,               \
    .choices = choices_device, .initial = FX_DEVICE_AUTO, .label = N_ ("_Device:"),    \
    .tooltip = N_ (                                                                    \
      "Automatic uses whichever is faster: the GPU or, for few pixels or if there is " \
      "none, the CPU; the pixels are the same to within rounding"),                    \
  }

/* Members of a property that is an angle in degrees, and of one that is a coordinate, from -most to
 * most, in parts of the layer's width (axis "x") or height ("y"). */

#define CHOICES_ANGLE(params, member)                                           \
  .type = FILTER_TYPE_OF (params, member), .minimum = -180.0, .maximum = 180.0, \
  .slider = { .digits = 1, .step = 1.0 }

#define CHOICES_COORDINATE(params, member, most, axis)                                            \
  .type = FILTER_TYPE_OF (params, member), .minimum = -(most), .maximum = (most), .initial = 0.5, \
  .slider = { .digits = 4, .step = 0.01 },                                                        \
  .gegl = { .ui_maximum = 1.0, .keys = "unit=relative-coordinate axis=" axis }

#define CHOICES_KEEP_SHARP_PROPERTY(params, largest)                                         \
  {                                                                                          \
    .name = "keep-sharp", .type = FILTER_TYPE_OF (params, keep_sharp), .maximum = (largest), \
    .slider = { .digits = 2, .step = 0.01 }, .label = N_ ("_Keep sharp:"),                   \
    .tooltip = N_ ("Above 0, the colours of a sharp subject do not spread into the soft "    \
                   "background"),                                                            \
  }

/* The settings of a lens. own_kinds are its kinds. */

#define CHOICES_BLADES_PROPERTY(params, own_kinds, fewest, most, shown_label)            \
  {                                                                                      \
    .name = "blades", .kinds = (own_kinds), .type = FILTER_TYPE_OF (params, blades),     \
    .maximum = (most), .initial = 6.0, .least = (fewest), .slider = { .step = 1.0 },     \
    .label = (shown_label),                                                              \
    .tooltip = N_ ("How many blades the aperture has, 3 to 12: with 6, points of light " \
                   "become hexagons; with 0, discs"),                                    \
  }

#define CHOICES_ROUNDNESS_PROPERTY(params, own_kinds, shown_label)                               \
  {                                                                                              \
    .name = "roundness", .kinds = (own_kinds), .type = FILTER_TYPE_OF (params, roundness),       \
    .maximum = 1.0, .slider = { .digits = 2, .step = 0.01 }, .label = (shown_label),             \
    .tooltip = N_ ("How round the edges of the aperture are: 0 is straight, 1 makes it a disc"), \
  }

#define CHOICES_SQUEEZE_PROPERTY(params, own_kinds, shown_label)                                   \
  {                                                                                                \
    .name = "squeeze", .kinds = (own_kinds), .type = FILTER_TYPE_OF (params, squeeze),             \
    .minimum = -1.0, .maximum = 1.0, .slider = { .digits = 2, .step = 0.01 },                      \
    .label = (shown_label),                                                                        \
    .tooltip = N_ ("Above 0 the aperture becomes narrow, as in an anamorphic lens, and at 1 half " \
                   "as wide as high; below 0 it becomes flat"),                                    \
  }

#define CHOICES_HIGHLIGHTS_PROPERTY(params, own_kinds, most, shown_label)                         \
  {                                                                                               \
    .name = "highlights", .kinds = (own_kinds), .type = FILTER_TYPE_OF (params, highlights),      \
    .role = FILTER_ROLE_HIGHLIGHTS, .maximum = (most), .initial = 2.0,                            \
    .slider = { .digits = 2, .step = 0.1 }, .label = (shown_label),                               \
    .tooltip = N_ ("How many stops brighter white was than the image shows: lamps become bright " \
                   "shapes, as in a photograph"),                                                 \
  }

#define CHOICES_THRESHOLD_PROPERTY(params, own_kinds, shown_label)                         \
  {                                                                                        \
    .name = "threshold", .kinds = (own_kinds), .type = FILTER_TYPE_OF (params, threshold), \
    .role = FILTER_ROLE_HIGHLIGHTS, .maximum = 1.0, .initial = 0.8,                        \
    .slider = { .digits = 2, .step = 0.01 }, .label = (shown_label),                       \
    .tooltip = N_ ("How bright a highlight is at least: 1 is white; it has no effect if "  \
                   "Highlights is 0"),                                                     \
  }
