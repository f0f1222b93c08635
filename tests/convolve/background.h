/* Programs that the background has compiled, on the shim. */
#ifndef BACKGROUND_H
#define BACKGROUND_H

void add_background (void);

#endif
