/* A pair as GIMP's own pair of sizes, with a unit and a chain, in which each number is a slider.
 * For the main thread. */
#pragma once

#include "pair.h"

/* See PairNewFunc. target is a ApplyTarget; the units use its image's resolution. */
Pair *size_pair_new (const FilterProperty properties[2], const double values[2],
                     PairChangedFunc changed, gpointer data, gpointer target);
