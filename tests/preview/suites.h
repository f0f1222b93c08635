/* The subjects of test-preview, each of which adds its tests. */
#ifndef SUITES_H
#define SUITES_H

#include <glib.h>

G_BEGIN_DECLS

void add_formats (void);
void add_scales (void);
void add_ways (void);
void add_changes (void);
void add_drafts (void);
void add_mixing (void);
void add_random (void);
void add_failures (void);

G_END_DECLS

#endif
