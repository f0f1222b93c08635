/* Chooses the device of automatic runs: the faster one, as far as this process knows.
 *
 * The process starts with estimates. Each automatic run corrects those for runs of its kind; runs
 * on a given device do not, because they may read and write elsewhere, as the preview's do. The
 * calibrations of both devices are kept for the last 64 kinds, in 8 KB, and shared by all
 * threads. */
#pragma once

#include "cpu.h"
#include "gpu.h"
#include "image.h"

/* A kind of runs, all of which take about the same time per pixel: the same filter, format and
 * number of threads, with numbers of pixels and costs of the same order. */
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
  double runs;                         /* as many of this size as the whole picture takes */
} FxTask;

/* Returns the task of a run, with estimates for a GPU that is open and has loaded the programs. */
FxTask fx_task_new (const FxPlan *plan, const FxImage *image, const FxCpu *cpu);

/* Returns the milliseconds that the task is expected to take on device. */
double fx_task_expect (const FxTask *task, FxDevice device);

/* Returns the device for the task, FX_DEVICE_GPU or FX_DEVICE_CPU. Once both have been measured,
 * the choice for a kind changes only if the other device is faster by an eighth. Sets alternative
 * to the device to use instead if the GPU is ready: to the other one, so that it is measured, if
 * not much time can be lost, during the first five runs or if it did none of the last 100;
 * otherwise to the returned one. */
FxDevice fx_task_choose (const FxTask *task, FxDevice *alternative);

/* Records how long the task took on device. */
void fx_task_learn (const FxTask *task, FxDevice device, double milliseconds);

/* The picture of which the last runs computed parts: one plan over one image, until a run overlaps
 * the first region again. All zeros: none. */
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
