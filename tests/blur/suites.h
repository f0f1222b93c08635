/* The subjects of test-blur, each of which adds its tests. */
#ifndef SUITES_H
#define SUITES_H

#include <glib.h>

G_BEGIN_DECLS

void add_reference (void);
void add_formats (void);
void add_sizes (void);
void add_regions (void);
void add_nonfinite (void);
void add_params (void);
void add_random (void);
void add_straight (void);
void add_curves (void);

G_END_DECLS

#endif
