/* The plans that matter for launches: matrices of all sizes in all formats, by taps, by
 * products and by FFT; the blur with each radius of its kernels on each axis, and with explicit
 * kernel sizes; the lens blur, with highlights and without; the motion blur of each kind; and the
 * selective blur with windows of all sizes. A check is called for each. */
#pragma once

#include "plan.h"

typedef enum { SWEEP_GENERIC, SWEEP_SPECIALISED } SweepVersion;

typedef struct {
  /* Each format needs its own programs. TRUE: use only a few formats, except for matrices by
   * taps. */
  gboolean few_formats;

  /* Checks plan, with programs of the given version. what describes its parameters. */
  void (*check) (const FxPlan *plan, SweepVersion version, const char *what);

  /* Called at the end of each test; must fail it if a check has failed. */
  void (*end) (void);
} Sweep;

/* Adds the tests, with names below path. sweep must outlive them. */
void sweep_add (const char *path, const Sweep *sweep);
