/* NVIDIA's Performance Primitives, opened at run time: their Gaussian blurs of RGBA. They blur the
 * samples as they are stored, alpha like a colour. */
#pragma once

#include "card.h"

typedef struct Npp Npp;

/* NULL with error if NPP is not on this machine. Free it with npp_close. */
Npp *npp_open (Card *card, GError **error);
void npp_close (Npp *npp); /* NULL is legal */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Npp, npp_close)

const char *npp_get_version (const Npp *npp); /* "13.0.1" */

/* Readies a blur: taps to 4 sigma on each side, edges replicated. pixels: width * height of RGBA,
 * in host memory, floats if is_float, else bytes. */
gboolean npp_begin (Npp *npp, gboolean is_float, int width, int height, double sigma,
                    gconstpointer pixels, GError **error);

/* A CardFunc, of the Npp: floats by FilterRow, then FilterColumn; bytes by FilterGaussAdvanced. */
gboolean npp_run (gpointer npp, Card *card, GError **error);

/* After a run: whether the pixel in the middle is what a plain sum makes it. */
gboolean npp_check (Npp *npp, Card *card, GError **error);
