/* One file: read, through the filter, written. */
#ifndef JOB_H
#define JOB_H

#include "budget.h"
#include "filter.h"

G_BEGIN_DECLS

/* What the jobs of all threads share. */
typedef struct {
  Budget *budget;
  const FilterSettings *settings;
  FxEngine *engine;
  GMutex engine_lock;
  GMutex gimp_lock; /* of GIMP's libraries and Exiv2, which know no threads */
} Shared;

/* What became of it. */
typedef struct {
  gboolean filtered; /* else the settings change nothing */
  int frames;        /* as a Picture has it; set of a file that is declined, too */
  int width, height;
  FxFormat format;
  gsize bytes;
  FxReport report;
} JobReport;

/* Writes output, in the format of its name. On any thread. FALSE with error set where it is not for
 * this road; output may then have been begun. */
gboolean job_run (Shared *shared, const char *input, const char *output, JobReport *report,
                  GError **error);

G_END_DECLS

#endif
