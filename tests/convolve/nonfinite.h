#ifndef NONFINITE_H
#define NONFINITE_H

void add_nonfinite (void);

#endif
