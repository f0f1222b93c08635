/* The tests of the operation, by what they are about. */
#ifndef SUITES_H
#define SUITES_H

void add_formats (void);
void add_spaces (void);
void add_regions (void);
void add_planes (void);
void add_params (void);
void add_changes (void);
void add_graphs (void);
void add_threads (void);
void add_lasting (void);
void add_nonfinite (void);

#endif
