/* Compares a view with the expected one. */
#pragma once

#include "subject.h"

/* Renders a view on the device under test; it must be right. */
void check_view (Subject *s, const BlurParams *params, const FxView *v);

/* Fails the test if a rendered view differs by more than the tolerance. */
void check_rgba (const Subject *s, const BlurParams *p, const FxView *v, const guint8 *rgba);

/* The largest error of a pixel's bytes, to what is allowed. there: whether it lies in the image. */
double check_judge (const Subject *s, const double *values, const double *leeways, gboolean there,
                    const guint8 *rgba);

/* Fails the test, and says where. */
void check_fail (const char *what, const char *where);
