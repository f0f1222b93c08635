#include "choice.h"

#include "calibration.h"

#include <math.h>
#include <string.h>

#define KINDS 64

/* The factor by which the other device must be expected to be faster. Without it, the choice would
 * swing between devices that are about equally fast. */
#define MARGIN 1.15

/* The slower device is measured during the first runs, and again after so many runs without it. */
#define FIRST 5
#define OLD   100

/* How much longer it may take then: relative to the faster one, and in milliseconds for the whole
 * picture. The estimates are wrong by up to 2.6 times on the machines of tests/bench/README.md. */
#define LOSS      2.0
#define LOSS_TIME 50.0

/* The statistics of a kind. */
typedef struct {
  FxKind kind;
  FxDevice device; /* the last choice, not counting alternatives; AUTO: none yet */
  FxCalibration calibrations[FX_DEVICE_CPU + 1];
  guint ages[FX_DEVICE_CPU + 1]; /* runs since the last one there */
  guint used; /* the value of known.uses at its last use; 0: the record is free */
} Record;

/* Unused records are all zeros. */
static struct {
  GMutex lock;
  Record records[KINDS];
  guint uses;
} known;

G_STATIC_ASSERT (sizeof known <= 8192);

/* Kinds are compared as memory, so they must have no padding. */
G_STATIC_ASSERT (sizeof (FxKind) == sizeof (char *) + 6 * sizeof (int));

/* The task. */

static FxKind
get_kind (const FxPlan *plan, const FxCpu *cpu, double pixels)
{
  const FxFormat *format = &plan->codec.format;

  return (FxKind) {
    .filter = plan->filter->name,
    .sample = (int) format->sample,
    .channels = format->channels,
    .curve = (int) plan->codec.curve,
    .threads = cpu->threads,
    .pixels = ilogb (pixels) / 2,
    .cost = ilogb (plan->cpu_cost),
  };
}

FxTask
fx_task_new (const FxPlan *plan, const FxImage *image, const FxCpu *cpu)
{
  const FxGpuCost *gpu = fx_gpu_get_cost ();
  double pixels = (double) image->region.width * image->region.height;
  double megabytes = pixels * fx_format_size (&image->format) / 1e6;
  double work = fx_cpu_get_work (plan, pixels) * fx_plan_get_gpu_factor (plan);

  return (FxTask) {
    .kind = get_kind (plan, cpu, pixels),
    .estimates[FX_DEVICE_GPU] = gpu->run + gpu->megabyte * megabytes + gpu->work * work,
    .estimates[FX_DEVICE_CPU] = fx_cpu_get_cost (cpu, plan, pixels),
    .runs = (double) image->width * image->height / pixels,
  };
}

/* The records. The lock is only tried: a process that was forked while another thread held it would
 * wait forever. If another thread holds it, for a microsecond, the estimates have to do. */

/* Returns the kind's record. If there is none, it replaces the least recently used one. */
static Record *
get_record (const FxKind *kind)
{
  Record *record = known.records, *i;

  for (i = known.records; i < known.records + KINDS; i++)
    {
      if (i->used > 0 && memcmp (&i->kind, kind, sizeof *kind) == 0)
        break;
      if (i->used < record->used)
        record = i;
    }
  if (i < known.records + KINDS)
    record = i;
  else
    *record = (Record) { .kind = *kind };
  record->used = ++known.uses;
  return record;
}

static double
expect (const Record *record, const FxTask *task, FxDevice device)
{
  return fx_calibration_expect (&record->calibrations[device], task->estimates[device]);
}

double
fx_task_expect (const FxTask *task, FxDevice device)
{
  double milliseconds = task->estimates[device];

  if (! g_mutex_trylock (&known.lock))
    return milliseconds;
  milliseconds = expect (get_record (&task->kind), task, device);
  g_mutex_unlock (&known.lock);
  return milliseconds;
}

void
fx_task_learn (const FxTask *task, FxDevice device, double milliseconds)
{
  Record *record;

  if (! g_mutex_trylock (&known.lock))
    return;
  record = get_record (&task->kind);
  fx_calibration_add (&record->calibrations[device], task->estimates[device], milliseconds);
  record->ages[FX_DEVICE_GPU]++;
  record->ages[FX_DEVICE_CPU]++;
  record->ages[device] = 0;
  g_mutex_unlock (&known.lock);
}

/* The choice. */

static FxDevice
get_other (FxDevice device)
{
  return device == FX_DEVICE_GPU ? FX_DEVICE_CPU : FX_DEVICE_GPU;
}

/* Returns the device that is expected to be faster; by the margin, once both are known. */
static FxDevice
get_faster (const Record *record, const FxTask *task)
{
  FxDevice device = record->device == FX_DEVICE_AUTO ? FX_DEVICE_GPU : record->device;
  FxDevice other = get_other (device);
  guint least = MIN (record->calibrations[device].runs, record->calibrations[other].runs);
  double margin = least < FX_CALIBRATION_RUNS ? 1.0 : MARGIN;

  return margin * expect (record, task, other) < expect (record, task, device) ? other : device;
}

/* Returns whether to try device instead of the other one, which is expected to be faster. */
static gboolean
is_worth_trying (const Record *record, const FxTask *task, FxDevice device)
{
  const FxCalibration *calibration = &record->calibrations[device],
                      *other = &record->calibrations[get_other (device)];
  double best = expect (record, task, get_other (device));
  double expected = expect (record, task, device);
  double last = fx_calibration_expect_last (calibration, task->estimates[device]);
  gboolean wanted = calibration->runs + other->runs < FIRST || record->ages[device] >= OLD ||
                    MARGIN * last < best;

  return wanted && other->runs >= 2 && expected - best <= LOSS * best &&
         (MAX (expected, last) - best) * task->runs <= LOSS_TIME;
}

FxDevice
fx_task_choose (const FxTask *task, FxDevice *alternative)
{
  FxDevice device;
  Record *record;

  if (! g_mutex_trylock (&known.lock))
    return *alternative = get_faster (&(Record) { 0 }, task);
  record = get_record (&task->kind);
  device = record->device = get_faster (record, task);
  *alternative = is_worth_trying (record, task, get_other (device)) ? get_other (device) : device;
  g_mutex_unlock (&known.lock);
  return device;
}

/* Pictures in parts. */

gboolean
fx_picture_goes_on (const FxPicture *picture, const FxPlan *plan, const FxImage *image)
{
  const FxRect *a = &picture->first, *b = &image->region;
  gboolean apart = a->x + a->width <= b->x || b->x + b->width <= a->x || a->y + a->height <= b->y ||
                   b->y + b->height <= a->y;

  return picture->plan == plan && picture->x == image->x && picture->y == image->y &&
         picture->width == image->width && picture->height == image->height && apart;
}

void
fx_picture_begin (FxPicture *picture, FxPlan *plan, const FxImage *image, FxDevice device)
{
  const FxRect *region = &image->region;

  fx_picture_end (picture);
  if (region->width < image->width || region->height < image->height)
    *picture = (FxPicture) { fx_plan_ref (plan), image->x, image->y, image->width,
                             image->height,      *region,  device };
}

void
fx_picture_end (FxPicture *picture)
{
  fx_plan_free (picture->plan);
  picture->plan = NULL;
}
