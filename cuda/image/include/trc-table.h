/* The entries of a tone curve that is a table (format.h), for the code that applies it. */
#pragma once

#include "format.h"

struct FxTrcTable {
  float entries[FX_TRC_ENTRIES];
  FxTrcTable *next; /* of all tables */
};
