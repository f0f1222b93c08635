/* Chooses the device of automatic runs: the faster one, as far as this process knows.
 *
 * What is known begins with estimates, and each automatic run corrects those of its kind. (Others
 * may have another caller: the preview's read and write in memory.) The process keeps the
 * calibrations of both devices for the last 64 kinds, in 8 KB. All threads share them. */
#pragma once

#include "cpu.h"
#include "gpu.h"
#include "image.h"

/* Runs of a kind take about as long for each of their pixels: of the same filter over the same
 * format, with as many threads, and with pixels and a cost of the same order. */
typedef struct {
  const char *filter; /* its name, a literal */
  int sample, channels;
  int curve;
  int threads;
  int pixels; /* as a power of 4 */
  int cost;   /* of a sample on the CPU, in nanoseconds, as a power of 2 */
} FxKind;

typedef struct {
  FxKind kind;
  double estimates[FX_DEVICE_CPU + 1]; /* of each FxDevice, in milliseconds */
  double runs;                         /* that are as much work as all of the picture */
} FxTask;

/* Returns the task of a run. Its GPU is open, with the programs loaded. */
FxTask fx_task_new (const FxPlan *plan, const FxImage *image, const FxCpu *cpu);

/* Returns the milliseconds that the task is expected to take on device. */
double fx_task_expect (const FxTask *task, FxDevice device);

/* Returns the device for the task, FX_DEVICE_GPU or FX_DEVICE_CPU. Once both
 * are known, it changes for a kind only if the other one is faster by an eighth. Sets alternative
 * to the device to use instead if the GPU is ready: during the first five runs, and then of every
 * 100 that it did none of, to the other one, if not much can be lost. */
FxDevice fx_task_choose (const FxTask *task, FxDevice *alternative);

/* Records what the task took on device. */
void fx_task_learn (const FxTask *task, FxDevice device, double milliseconds);

/* The picture that the last runs were parts of: of one plan over one image, until a region meets
 * the first one again. Zeros are none. */
typedef struct {
  FxPlan *plan; /* a reference, or NULL */
  int x, y, width, height;
  FxRect first; /* the first region */
  FxDevice device;
} FxPicture;

/* Returns whether a run of plan over image is another part of the picture. */
gboolean fx_picture_goes_on (const FxPicture *picture, const FxPlan *plan, const FxImage *image);

/* Begins another picture, unless the region is all of the image. fx_picture_end ends any. */
void fx_picture_begin (FxPicture *picture, FxPlan *plan, const FxImage *image, FxDevice device);
void fx_picture_end (FxPicture *picture);
