/* What of the engine's symbols others may see, where it lives in a library: what stands between
 * these two. All else is hidden. */
#ifndef FX_API_H
#define FX_API_H

#include <glib.h>

#define FX_BEGIN_API \
  G_BEGIN_DECLS      \
  _Pragma ("GCC visibility push(default)")
#define FX_END_API _Pragma ("GCC visibility pop") G_END_DECLS

#endif
