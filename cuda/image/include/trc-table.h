/* The entries of a tone curve that is a table (format.h), for those that apply it. */
#ifndef FX_TRC_TABLE_H
#define FX_TRC_TABLE_H

#include "format.h"

G_BEGIN_DECLS

struct FxTrcTable {
  float entries[FX_TRC_ENTRIES];
  FxTrcTable *next; /* of all tables */
};

G_END_DECLS

#endif
