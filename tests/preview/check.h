/* A view beside what it must be. */
#pragma once

#include "subject.h"

/* Renders a view on the device under test; it must be right. */
void check_view (Subject *s, const BlurParams *params, const FxView *v);

/* Fails the test where a view that was rendered is off by more than the tolerance. */
void check_rgba (const Subject *s, const BlurParams *p, const FxView *v, const guint8 *rgba);

/* The largest error of a pixel's bytes, to what is allowed. there: whether it lies in the image. */
double check_judge (const Subject *s, const double *values, const double *leeways, gboolean there,
                    const guint8 *rgba);

/* Fails the test, and says where. */
void check_fail (const char *what, const char *where);
