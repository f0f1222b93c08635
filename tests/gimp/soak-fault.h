/* The faults that a soak test causes. */
#pragma once

#include "soak-judge.h"

typedef enum {
  SOAK_NO_FAULT,
  SOAK_KILL_BEFORE, /* the resident process: the called one does the work */
  /* These may break a call. */
  SOAK_KILL_DURING, /* the resident process */
  SOAK_KILL_CALLED, /* the process that GIMP starts for the call */
  SOAK_MEMORY,      /* the resident process can have next to no more */
  /* These must not. */
  SOAK_CACHE_DAMAGED,
  SOAK_CACHE_EMPTY,
  SOAK_CACHE_CLOSED, /* the folder's mode is one with which it cannot be used */
  /* These are to be refused. */
  SOAK_BAD_ARGUMENT,
  SOAK_LOCKED,
  N_SOAK_FAULTS,
} SoakFault;

extern const char *const soak_fault_names[N_SOAK_FAULTS];

/* Returns whether it strikes a process. */
gboolean soak_fault_strikes (SoakFault fault);

/* Returns whether the resident process may be gone afterwards. */
gboolean soak_fault_kills (SoakFault fault);

/* Returns whether the call may fail for it. */
gboolean soak_fault_breaks (SoakFault fault);

/* Makes one of the call's arguments wrong. */
void soak_fault_spoil (SoakCall *call, GRand *rand);

/* A fault under way. */
typedef struct SoakTrouble SoakTrouble;

/* Right before the call; and right after it, which ends it and frees it. */
SoakTrouble *soak_fault_begin (SoakFault fault, const SoakScene *scene, GRand *rand);
void soak_fault_end (SoakTrouble *trouble);
