/* Symbol visibility. If the engine is built into a library, only the declarations between
 * FX_BEGIN_API and FX_END_API are exported; all other symbols are hidden. */
#pragma once

#include <glib.h>

#define FX_BEGIN_API \
  G_BEGIN_DECLS      \
  _Pragma ("GCC visibility push(default)")
#define FX_END_API _Pragma ("GCC visibility pop") G_END_DECLS
