/* A run of a case, whose callbacks check the calls that they get. */
#pragma once

#include "case.h"

typedef struct {
  const Case *c;
  FxRect region, reach; /* reach: what the kernel reaches from region */
  int shift_x, shift_y; /* the offset of the case's image in the image that the engine gets */
  gsize pixel;          /* bytes */
  guint8 *source, *result, *written;
  GThread *thread;
  int reads, writes, steps;          /* calls so far */
  int fail_read, fail_write, cancel; /* the call to fail, from 1; 0: none */
  gboolean no_progress;              /* pass none */
  double fraction;
  char *complaint; /* the first breach of the contract */
} Job;

/* c must outlive the job. */
void job_init (Job *job, const Case *c);
void job_clear (Job *job);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Job, job_clear)

/* The domain of the errors of reads, code 42, and of writes, code 43, that are to fail. */
GQuark job_error_quark (void);

/* Returns the image that the engine gets. */
FxImage job_get_image (Job *job);

/* Runs the engine again, and checks the result if it returns TRUE. */
gboolean job_run (Job *job, FxEngine *engine, FxReport *report, GError **error);

/* Bytes of the result. */
gsize job_get_size (const Job *job);
