/* The subjects of test-engine, each of which adds its tests. */
#ifndef SUITES_H
#define SUITES_H

#include <glib.h>

G_BEGIN_DECLS

void add_arguments (void);
void add_callbacks (void);
void add_devices (void);
void add_resident_source (void);
void add_limits (void);
void add_threads (void);

G_END_DECLS

#endif
