/* Whether a call of a soak test has done what it must. */
#pragma once

#include "soak-call.h"

/* The state before a call. */
typedef struct {
  const SoakCall *call;
  SoakJudge judge;
  Subject subject;
  Raster *before;
  gboolean refused;  /* the call is to be refused */
  gboolean identity; /* it is to change nothing */
} SoakScene;

/* Makes the call's image. Clear it, and the image, with soak_scene_clear. */
SoakScene soak_scene_make (const SoakCall *call, SoakJudge judge, GRand *rand);
void soak_scene_clear (SoakScene *scene);

/* after: what a node has made of it. */
char *soak_scene_node_problem (const SoakScene *scene, const Raster *after);

/* Judges an undisturbed call. message: NULL if it succeeded. */
char *soak_scene_problem (const SoakScene *scene, const char *message);

/* Judges a call whose process may have been killed: all old, or all new. */
char *soak_scene_broken_problem (const SoakScene *scene, const char *message);
