/* Vectors of LANES floats, for files that are compiled once for each kind of vector unit. */
#pragma once

#include "vector.h"

typedef float Vector __attribute__ ((vector_size (LANES * sizeof (float)), aligned (4), may_alias));

typedef int Integers __attribute__ ((vector_size (LANES * sizeof (int)), aligned (4), may_alias));

static FX_INLINE Vector
load (const float *place)
{
  return *(const Vector *) place;
}

/* Returns 2^x for x from -126 to 0: Taylor's series, whose error is 1.2e-7. */
static FX_INLINE Vector
get_power (Vector x)
{
  Integers whole = __builtin_convertvector(x - 0.5f, Integers);
  Vector part = x - __builtin_convertvector(whole, Vector);
  Vector power = 1.540353e-4f * part + 1.333356e-3f;

  power = power * part + 9.618129e-3f;
  power = power * part + 5.550411e-2f;
  power = power * part + 2.402265e-1f;
  power = power * part + 6.931472e-1f;
  power = power * part + 1.0f;
  return power * (Vector) ((whole + 127) << 23);
}
