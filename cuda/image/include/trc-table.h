/* The entries of a tone curve that is a table (format.h), for those that apply it. */
#pragma once

#include "format.h"

struct FxTrcTable {
  float entries[FX_TRC_ENTRIES];
  FxTrcTable *next; /* of all tables */
};
