/* What the engine is asked for while a call fails: blurs, a convolution, a run whose source stays
 * on the device, and views, by one engine. */
#ifndef SCENE_H
#define SCENE_H

#include "engine.h"

G_BEGIN_DECLS

typedef struct {
  FxEngine *engine;
  FxConfig config; /* of the next engine; its cache is empty at first */
  char *folder;    /* that cache */
} Scene;

/* Devices may fail from now on (judge.h). */
void scene_init (Scene *scene);
void scene_clear (Scene *scene);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Scene, scene_clear)

/* Makes the engine anew. */
void scene_reopen (Scene *scene);

typedef struct {
  guint gpu, cpu, errors; /* how many were done by each, or failed */
  char last[512];         /* why the last one that the GPU did not do was not */
} Outcome;

#define SCENE_USES 7

/* Runs all of them with that device. What is done must be right, and say why, where the automatic
 * choice takes the CPU; what fails must say why, and have left its image as it was. */
Outcome scene_use (Scene *scene, FxDevice device);

/* One of them alone: by one program, or by several. */
typedef enum { SCENE_FIR, SCENE_GRIDS } SceneUse;
Outcome scene_use_once (Scene *scene, SceneUse use, FxDevice device);

G_END_DECLS

#endif
