/* A source that the device may keep while the matrix changes. */
#ifndef SOURCE_H
#define SOURCE_H

void add_source (void);

#endif
