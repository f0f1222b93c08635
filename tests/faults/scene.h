/* Uses one engine while a call fails: blurs, a convolution, a lens blur, a run whose source stays
 * resident, and views. */
#pragma once

#include "engine.h"

typedef struct {
  FxEngine *engine;
  FxConfig config; /* for the next engine; its cache is empty at first */
  char *folder;    /* the folder of that cache */
  gboolean few;    /* only the first uses, of one program and of several */
} Scene;

/* Initialises scene, with an engine. Devices may fail from now on (judge.h). */
void scene_init (Scene *scene);
void scene_clear (Scene *scene);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Scene, scene_clear)

/* Frees the engine and creates a new one with config. */
void scene_reopen (Scene *scene);

typedef struct {
  guint gpu, cpu, errors; /* how many each device did, and how many failed */
  char last[512];         /* the reason for the last one that the GPU did not do */
} Outcome;

#define SCENE_USES 8

/* Runs all uses on device, or few. Fails the test if a result is wrong; if the automatic choice
 * used the CPU without a reason; or if a failure has no message. On the automatic choice, a failed
 * run must also leave its result unwritten. */
Outcome scene_use (Scene *scene, FxDevice device);

/* Runs one use: one that takes one program, or one that takes several. */
typedef enum { SCENE_FIR, SCENE_GRIDS } SceneUse;
Outcome scene_use_once (Scene *scene, SceneUse use, FxDevice device);
