/* A blur of noise, whose callbacks check the calls that they get. What its pixels should be, the
 * blur's tests in Python know. */
#pragma once

#include "blur.h"
#include "engine.h"

typedef struct {
  FxFormat format;
  int width, height;
  BlurParams params;
  FxDevice device;
  gsize pixel; /* bytes */
  guint8 *source, *result, *written;
  GThread *thread;
  int reads, writes, steps;          /* calls so far */
  int fail_read, fail_write, cancel; /* the call to fail, from 1; 0: none */
  gboolean no_progress;              /* pass none */
  double fraction;
  char *complaint; /* the first breach of the contract */
} Job;

/* A job on the device under test; and another of the same picture, on this thread. */
void job_init (Job *job, FxFormat format, int width, int height, double sigma_x, double sigma_y);
void job_init_copy (Job *job, const Job *other);
void job_clear (Job *job);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Job, job_clear)

/* The domain of the errors of reads, code 42, and of writes, code 43, that are to fail. */
GQuark job_error_quark (void);

/* Runs the engine again, and checks the calls if it returns TRUE. */
gboolean job_run (Job *job, FxEngine *engine, FxReport *report, GError **error);

/* Runs the engine under test, which must not fail or complain. */
void job_check (Job *job);

/* Bytes of the result. */
gsize job_get_size (const Job *job);
