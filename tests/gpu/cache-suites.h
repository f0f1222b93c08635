/* The subjects of test-cache, each of which adds its tests. */
#ifndef CACHE_SUITES_H
#define CACHE_SUITES_H

#include <glib.h>

G_BEGIN_DECLS

void add_bounds (void);
void add_damage (void);
void add_processes (void);

G_END_DECLS

#endif
