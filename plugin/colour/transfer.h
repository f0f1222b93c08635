/* The tone curves of ITU-T H.273 by their code points, which PNG's cICP and AVIF declare. */
#pragma once

#include "fit.h"

#include <lcms2.h>

/* Sets curve to the one with that code. HLG's light is the scene's, without its OOTF; PQ's light 1
 * is 10,000 cd/m2. Returns FALSE if the code is unknown, or stands for no curve. */
gboolean transfer_get_curve (int code, FitCurve *curve);

/* Returns the same curve for lcms2, parametric or of 4096 16-bit entries. The code must be known.
 * Returns NULL if there is no memory. */
cmsToneCurve *transfer_new_tone_curve (int code);
