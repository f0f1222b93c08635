/* Choices that several filters share, and the properties that have them. */
#pragma once

#include "filter.h"

#include <glib/gi18n-lib.h>

/* The choices of a property whose values are FxAbyss, FxLight or FxDevice. */
extern const FilterChoice choices_abyss[], choices_light[], choices_device[];

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

/* The tooltip is marked with N_. */
#define CHOICES_LIGHT_PROPERTY(params, shown_label, shown_tooltip)                      \
  {                                                                                     \
    .name = "light", .type = FILTER_TYPE_OF (params, light), .role = FILTER_ROLE_LIGHT, \
    .choices = choices_light, .initial = FX_LIGHT_LINEAR, .label = (shown_label),       \
    .tooltip = (shown_tooltip),                                                         \
  }

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
