#include "choices.h"

const FilterChoice choices_abyss[] = {
  [FX_ABYSS_CLAMP] = { "clamp", N_("Clamp") },
  [FX_ABYSS_NONE] = { "none", N_("None") },
  [FX_ABYSS_BLACK] = { "black", N_("Black") },
  [FX_ABYSS_WHITE] = { "white", N_("White") },
  { NULL },
};

const FilterChoice choices_short_abyss[] = {
  [FX_ABYSS_CLAMP] = { "clamp", N_("Clamp") },
  [FX_ABYSS_NONE] = { "none", N_("None") },
  { NULL },
};

const FilterChoice choices_light[] = {
  [FX_LIGHT_LINEAR] = { "linear", N_("Linear") },
  [FX_LIGHT_PERCEPTUAL] = { "perceptual", N_("Perceptual") },
  { NULL },
};

const FilterChoice choices_device[] = {
  [FX_DEVICE_AUTO] = { "auto", N_("Automatic") },
  [FX_DEVICE_GPU] = { "gpu", N_("GPU only") },
  [FX_DEVICE_CPU] = { "cpu", N_("CPU") },
  { NULL },
};
