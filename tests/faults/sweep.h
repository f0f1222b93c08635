/* The plans that matter to launches: matrices of all sizes in all formats, by taps and by products;
 * the blur with each radius of its kernels on each axis, and with kernel sizes. Each goes through a
 * check, on whatever device. */
#ifndef SWEEP_H
#define SWEEP_H

#include "plan.h"

G_BEGIN_DECLS

typedef enum { SWEEP_GENERIC, SWEEP_SPECIALISED } SweepVersion;

typedef struct {
  /* Each format has programs of its own. TRUE: few of them, but for matrices by their taps. */
  gboolean few_formats;

  /* version: of the programs, that the plan is there for. what: its parameters, in words. */
  void (*check) (const FxPlan *plan, SweepVersion version, const char *what);

  /* Fails the test where one of its checks has failed. */
  void (*end) (void);
} Sweep;

/* Adds the tests below path. sweep must outlive them. */
void sweep_add (const char *path, const Sweep *sweep);

G_END_DECLS

#endif
